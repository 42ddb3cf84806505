-- The ceiling of an array at a load profile: the lowest of its limits that can be derived.
select
    array_id,
    profile_id,
    basis,
    any_value(purpose) as purpose,
    min(bytes_per_second) as bytes_per_second,
    min(iops) as iops,
    any_value(ceiling_kind) filter (
        limit_order = 1 and coalesce(bytes_per_second, iops) is not null
    ) as binding_ceiling,
    arg_min(ceiling_kind, (iops, limit_order)) filter (iops is not null) as iops_binding_ceiling,
    any_value(derivation) filter (limit_order = 1) as binding_derivation,
    any_value(source_measurement_id) filter (limit_order = 1) as binding_measurement_id,
    any_value(known_from) as known_from,
    any_value(derivation) filter (ceiling_kind = 'drives') as drives_derivation,
    array_to_string(list_sort(list(ceiling_kind) filter (missing_reason is not null)), ', ')
        as missing_limits,
    array_to_string(list_sort(list(ceiling_kind) filter (is_unknown)), ', ') as unknown_limits,
    array_to_string(
        list_sort(list(ceiling_kind || ': ' || missing_reason) filter (missing_reason is not null)),
        '; '
    ) as missing_reasons,
from {{ ref('int_limits') }}
group by array_id, profile_id, basis
