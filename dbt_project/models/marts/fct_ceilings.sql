-- Each limit, and the effective ceiling: the least of those that can be derived, on its basis.
select
    array_id,
    profile_id,
    basis,
    unnest(limits, recursive := true) as fields,
from {{ ref('int_ceilings_by_basis') }}
where purpose = 'measured'
union all by name
select
    array_id,
    profile_id,
    basis,
    'effective' as ceiling_kind,
    bytes_per_second,
    iops,
    binding_ceiling,
    iops_binding_ceiling,
    limits[1].formula as formula,
    if(binding_ceiling is null, 'no ceiling can be derived', null) as missing_reason,
from {{ ref('int_ceilings_by_basis') }}
where purpose = 'measured'
