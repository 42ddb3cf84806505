-- Each limit, and the effective ceiling: the lowest limit that can be derived on that basis.
select
    * exclude (purpose, is_unknown, limit_order, high_bytes_per_second, high_iops),
    cast(null as varchar) as binding_ceiling,
    cast(null as varchar) as iops_binding_ceiling,
from {{ ref('int_limits') }}
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
    if(binding_ceiling is null, 'no ceiling can be derived', null) as missing_reason,
from {{ ref('int_ceilings') }}
where purpose = 'measured'
