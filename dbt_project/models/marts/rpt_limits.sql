{%- set value -%}
    if(headroom.headline_metric = 'iops', limits.iops, limits.bytes_per_second)
{%- endset -%}

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
        max(formula) filter (where basis = 'practical') as practical_formula,
        max(missing_reason) as missing_reason,
    from {{ ref('fct_ceilings') }}
    where ceiling_kind != 'effective'
    group by array_id, profile_id, ceiling_kind
)

select
    limits.* replace (
        {{ named_formula('limits.formula', 'points') }} as formula,
        {{ named_formula('limits.practical_formula', 'points') }} as practical_formula
    ),
    headroom.array_label,
    limits.bytes_per_second / 1048576 as mebibytes_per_second,
    limits.kind = headroom.binding_ceiling as is_binding,
    {{ value }} as headline_value,
    {{ mark('points.value_qualifier') }}
    || {{ rounded_label(value, 'headroom.headline_metric') }} as value_label,
    points.document_title,
    points.pages,
    points.measurement_id,
from limits
inner join {{ ref('rpt_headroom') }} as headroom using (array_id, profile_id)
left join {{ ref('measurements') }} as points
    on {{ published_id('limits.formula') }} = points.measurement_id
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
    if(headline_metric = 'iops', iops, bytes_per_second) as headline_value,
    attained_value_label as value_label,
    best_measurement_id as measurement_id,
from {{ ref('rpt_headroom') }}
