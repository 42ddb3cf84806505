-- The ceiling of an array at a load profile: the lowest of its limits that can be derived.
{%- set key = ['array_id', 'profile_id', 'purpose', 'basis'] %}
with lowest as (
    {{ lowest_limits(ref('int_limits'), key) }}
),

others as (
    select
        {{ key | join(', ') }},
        arg_min(ceiling_kind, (iops, limit_order)) filter (iops is not null)
            as iops_binding_ceiling,
        array_to_string(list_sort(list(ceiling_kind) filter (is_unknown)), ', ')
            as unknown_limits,
        array_to_string(
            list_sort(
                list(ceiling_kind || ': ' || missing_reason) filter (missing_reason is not null)
            ), '; '
        ) as missing_reasons,
    from {{ ref('int_limits') }}
    group by {{ key | join(', ') }}
)

select *
from lowest
inner join others using ({{ key | join(', ') }})
