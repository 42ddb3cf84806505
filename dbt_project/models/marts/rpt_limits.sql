with limits as (
    select
        array_id,
        profile_id,
        ceiling_kind as kind,
        max(iops) filter (where basis = 'theoretical') as theoretical_iops,
        max(bytes_per_second) filter (where basis = 'theoretical') as theoretical_bytes_per_second,
        max(iops) filter (where basis = 'practical') as iops,
        max(bytes_per_second) filter (where basis = 'practical') as bytes_per_second,
        max(formula) filter (where basis = 'theoretical') as formula,
        max(missing_reason) as missing_reason,
    from {{ ref('fct_ceilings') }}
    where ceiling_kind != 'effective'
    group by array_id, profile_id, ceiling_kind
    union all by name
    select
        array_id,
        profile_id,
        'attained' as kind,
        attained_iops as iops,
        attained_bytes_per_second as bytes_per_second,
        best_measurement_id as formula,
    from {{ ref('rpt_headroom') }}
)

select
    limits.*,
    headroom.array_label,
    limits.kind = headroom.binding_ceiling as is_binding,
from limits
inner join {{ ref('rpt_headroom') }} as headroom using (array_id, profile_id)
