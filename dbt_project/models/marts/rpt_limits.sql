{%- set value -%}
    if(headroom.headline_metric = 'iops', limits.iops, limits.bytes_per_second)
{%- endset -%}

select
    limits.array_id,
    headroom.array_label,
    limits.profile_id,
    limits.ceiling_kind as kind,
    theoretical.iops as theoretical_iops,
    theoretical.bytes_per_second as theoretical_bytes_per_second,
    limits.iops,
    limits.bytes_per_second,
    limits.bytes_per_second / 1048576 as mebibytes_per_second,
    limits.ceiling_kind = headroom.binding_ceiling as is_binding,
    {{ limit_label('limits', 'points') }} as formula,
    limits.missing_reason,
    {{ value }} as headline_value,
    {{ mark("if(limits.derivation = 'rated', 'at_most', points.value_qualifier)") }}
    || {{ rounded_label(value, 'headroom.headline_metric') }} as value_label,
    points.document_title,
    points.pages,
    points.measurement_id,
from {{ ref('fct_ceilings') }} as limits
inner join {{ ref('fct_ceilings') }} as theoretical using (array_id, profile_id, ceiling_kind)
inner join {{ ref('rpt_headroom') }} as headroom using (array_id, profile_id)
left join {{ ref('rpt_measurements') }} as points
    on limits.ceiling_kind = 'controller' and limits.source_measurement_id = points.measurement_id
where
    limits.basis = 'practical'
    and theoretical.basis = 'theoretical'
    and limits.ceiling_kind != 'effective'
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
