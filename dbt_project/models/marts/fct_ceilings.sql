-- The effective ceiling is the least of those that can be derived, on its basis.
with by_basis as (
    select
        ceilings.*,
        bases.basis,
        ceilings.bytes_per_second
        * if(ceilings.is_link, bases.link_ratio, 1) as basis_bytes_per_second,
        ceilings.iops * if(ceilings.is_link, bases.link_ratio, 1) as basis_iops,
        ceilings.formula || if(
            ceilings.is_link and bases.basis = 'practical', ', of which 90 % are practical', ''
        ) as basis_formula,
        {{ least_first('basis_bytes_per_second') }} as bytes_rank,
        {{ least_first('basis_iops') }} as iops_rank,
    from {{ ref('int_ceilings') }} as ceilings
    cross join (
        values ('theoretical', 1.0), ('practical', {{ practical_ratio() }})
    ) as bases (basis, link_ratio)
    where ceilings.is_measured
),

effective as (
    select
        array_id,
        profile_id,
        basis,
        arg_min(ceiling_kind, bytes_rank) as bytes_binding_ceiling,
        arg_min(ceiling_kind, iops_rank) as iops_binding_ceiling,
        min(basis_bytes_per_second) as basis_bytes_per_second,
        min(basis_iops) as basis_iops,
        case
            when count(coalesce(basis_bytes_per_second, basis_iops)) = 0
                then 'no ceiling can be derived'
        end as missing_reason,
        coalesce(arg_min(basis_formula, bytes_rank), arg_min(basis_formula, iops_rank)) as formula,
    from by_basis
    group by array_id, profile_id, basis
)

select
    array_id,
    profile_id,
    ceiling_kind,
    basis,
    cast(basis_bytes_per_second as double) as bytes_per_second,
    cast(basis_iops as double) as iops,
    cast(null as varchar) as binding_ceiling,
    cast(null as varchar) as iops_binding_ceiling,
    basis_formula as formula,
    missing_reason,
from by_basis
union all by name
select
    array_id,
    profile_id,
    'effective' as ceiling_kind,
    basis,
    cast(basis_bytes_per_second as double) as bytes_per_second,
    cast(basis_iops as double) as iops,
    coalesce(bytes_binding_ceiling, iops_binding_ceiling) as binding_ceiling,
    iops_binding_ceiling,
    formula,
    missing_reason,
from effective
