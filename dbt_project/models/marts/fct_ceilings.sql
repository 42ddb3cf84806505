-- The effective ceiling is the least of those that can be derived, on its basis.
with by_basis as (
    select * from {{ ref('int_ceilings_by_basis') }}
    where purpose = 'measured'
),

effective as (
    select
        array_id,
        profile_id,
        basis,
        min(bytes_per_second) as bytes_per_second,
        min(iops) as iops,
        any_value(ceiling_kind) filter (bytes_rank = 1) as first_kind,
        any_value(ceiling_kind) filter (iops_rank = 1) as first_iops_kind,
        any_value(formula) filter (bytes_rank = 1) as formula,
    from by_basis
    group by array_id, profile_id, basis
)

select
    array_id,
    profile_id,
    ceiling_kind,
    basis,
    cast(bytes_per_second as double) as bytes_per_second,
    cast(iops as double) as iops,
    cast(null as varchar) as binding_ceiling,
    cast(null as varchar) as iops_binding_ceiling,
    formula,
    missing_reason,
from by_basis
union all by name
select
    array_id,
    profile_id,
    'effective' as ceiling_kind,
    basis,
    cast(bytes_per_second as double) as bytes_per_second,
    cast(iops as double) as iops,
    case when coalesce(bytes_per_second, iops) is not null then first_kind end
        as binding_ceiling,
    case when iops is not null then first_iops_kind end as iops_binding_ceiling,
    formula,
    case when coalesce(bytes_per_second, iops) is null then 'no ceiling can be derived' end
        as missing_reason,
from effective
