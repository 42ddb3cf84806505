select
    array_id,
    array_label,
    profile_id,
    ceiling_kind as kind,
    max(limits.iops) filter (where basis = 'theoretical') as theoretical_iops,
    max(limits.bytes_per_second) filter (where basis = 'theoretical')
        as theoretical_bytes_per_second,
    max(limits.iops) filter (where basis = 'practical') as iops,
    max(limits.bytes_per_second) filter (where basis = 'practical') as bytes_per_second,
    max(limits.bytes_per_second) filter (where basis = 'practical') / 1048576
        as mebibytes_per_second,
    max(limits.formula) filter (where basis = 'theoretical') as formula,
    max(limits.missing_reason) as missing_reason,
    ceiling_kind = headroom.binding_ceiling as is_binding,
from {{ ref('fct_ceilings') }} as limits
inner join {{ ref('rpt_headroom') }} as headroom using (array_id, profile_id)
where ceiling_kind != 'effective'
group by all
union all by name
select
    array_id,
    array_label,
    profile_id,
    'attained' as kind,
    attained_iops as iops,
    attained_bytes_per_second as bytes_per_second,
    attained_bytes_per_second / 1048576 as mebibytes_per_second,
    'the best that was measured or published' as formula,
    false as is_binding,
from {{ ref('rpt_headroom') }}
