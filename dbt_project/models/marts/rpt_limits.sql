with ceilings as (
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
),

attained as (
    select
        array_id,
        profile_id,
        'attained' as kind,
        attained_iops as iops,
        attained_bytes_per_second as bytes_per_second,
        best_measurement_id as formula,
    from {{ ref('rpt_headroom') }}
),

limits as (
    select * from ceilings
    union all by name
    select * from attained
)

select
    limits.array_id,
    headroom.array_label,
    limits.profile_id,
    limits.kind,
    limits.theoretical_iops,
    limits.theoretical_bytes_per_second,
    limits.iops,
    limits.bytes_per_second,
    limits.kind = headroom.binding_ceiling as is_binding,
    limits.formula,
    limits.missing_reason,
from limits
inner join {{ ref('rpt_headroom') }} as headroom using (array_id, profile_id)
