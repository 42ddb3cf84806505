-- The limits of an array at a load profile, in theory and in practice, the lowest first, of equal
-- ones that nearest to the drives; what cannot be derived says why, and is last.
with kinds as (
    select
        *,
        {{ practical_ratio() }} as practical_ratio,
    from {{ ref('int_ceilings__interfaces') }}
    union all by name
    select
        *,
        'drives' as ceiling_kind,
    from {{ ref('int_ceilings__drives') }}
    union all by name
    from {{ ref('int_ceilings__rated_drives') }}
    union all by name
    select
        arrays.array_id,
        arrays.profile_id,
        'controller' as ceiling_kind,
        1 as practical_ratio,
        case
            when arrays.controller_id is null then 'controller not reported'
            when limits.measurement_id is null and arrays.is_own_controller
                then 'a drive on PCIe is its own controller'
            when limits.measurement_id is null
                then 'no document reports a limit of this controller at this level and profile'
        end as missing_reason,
        limits.bytes_per_second,
        limits.iops,
        limits.known_from,
        limits.formula,
    from {{ ref('int_configurations') }} as arrays
    left join {{ ref('int_controller_limits') }} as limits
        on
            arrays.controller_id = limits.controller_id
            and arrays.profile_id = limits.profile_id
            and arrays.raid_level = limits.raid_level
            and arrays.left_out is not distinct from limits.left_out
),

by_basis as (
    select
        kinds.array_id,
        kinds.profile_id,
        arrays.purpose,
        bases.basis,
        kinds.ceiling_kind,
        kinds.missing_reason,
        kinds.known_from,
        -- a cheaper level's limit leaves open what the controller does at this one
        coalesce(kinds.known_from = 'cheaper level', false)
        or kinds.missing_reason is not null
        and not (
            coalesce(arrays.is_own_controller, false)
            and kinds.ceiling_kind in ('controller', 'host interface')
        ) as is_unknown,
        if(bases.basis = 'practical', kinds.practical_ratio, 1)
        * if(kinds.missing_reason is null, 1, null) as share,
        share * coalesce(kinds.bytes_per_second, kinds.iops * arrays.mean_block_bytes)
            as bytes_per_second,
        share * coalesce(kinds.iops, kinds.bytes_per_second / arrays.mean_block_bytes) as iops,
        kinds.formula || case
            when share < 1 then ', of which ' || {{ whole('100 * share') }} || ' % are practical'
            when share = 1 then ''
        end as formula,
        list_position(
            ['drives', 'disk interface', 'controller', 'host interface'], kinds.ceiling_kind
        ) as place,
    from kinds
    inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
    cross join (values ('theoretical'), ('practical')) as bases (basis)
)

select
    array_id,
    profile_id,
    basis,
    any_value(purpose) as purpose,
    any_value(known_from) as known_from,
    list_transform(
        list_sort(list(struct_pack(
            sort_key := struct_pack(bytes_per_second, iops, place),
            kind := struct_pack(ceiling_kind, bytes_per_second, iops, formula, missing_reason)
        ))),
        lambda entry: entry.kind
    ) as limits,  -- nulls come last; an ordered aggregate takes five times as long
    limits[1].bytes_per_second as bytes_per_second,
    min(iops) as iops,
    if(coalesce(limits[1].bytes_per_second, limits[1].iops) is null, null, limits[1].ceiling_kind)
        as binding_ceiling,
    arg_min(ceiling_kind, (iops, place)) filter (iops is not null) as iops_binding_ceiling,
    array_to_string(list_sort(list(ceiling_kind) filter (missing_reason is not null)), ', ')
        as missing_limits,
    array_to_string(list_sort(list(ceiling_kind) filter (is_unknown)), ', ') as unknown_limits,
    array_to_string(
        list_sort(list(ceiling_kind || ': ' || missing_reason) filter (missing_reason is not null)),
        '; '
    ) as missing_reasons,
from by_basis
group by all
