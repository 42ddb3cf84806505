-- The effective ceiling is the least of those that can be derived, on its basis.
with limits as (
    select * exclude (purpose, known_from)
    from {{ ref('int_ceilings_by_basis') }}
    where purpose = 'measured'
),

effective as (
    select
        array_id,
        profile_id,
        'effective' as ceiling_kind,
        basis,
        min(bytes_per_second) as bytes_per_second,
        min(iops) as iops,
        any_value(ceiling_kind) filter (
            bytes_rank = 1 and coalesce(bytes_per_second, iops) is not null
        ) as binding_ceiling,
        any_value(ceiling_kind) filter (iops_rank = 1 and iops is not null)
            as iops_binding_ceiling,
        any_value(formula) filter (bytes_rank = 1) as formula,
        if(count(coalesce(bytes_per_second, iops)) = 0, 'no ceiling can be derived', null)
            as missing_reason,
    from limits
    group by array_id, profile_id, basis
)

select * exclude (bytes_rank, iops_rank)
from limits
union all by name
select * from effective
