with next_limits as (
    select
        array_id,
        profile_id,
        ceiling_scope,
        next_attained_ratio,
        next_attained_label,
    from {{ ref('rpt_headroom') }}
    where next_attained_ratio is not null
)

select
    array_id,
    array_label,
    marked_label,
    profile_id,
    profile_label,
    if(document_id is null, 'own run', 'paper') as origin,
    vendor_label,
    controller_label,
    raid_level_label,
    drive_media_label,
    drive_count,
    headline_metric,
    headline_value,
    headline_value / drive_count as per_drive_headline_value,
    {{ mark('value_qualifier') }} || {{ compared_label('headline_value', 'headline_metric') }}
        as bytes_per_second_label,
    {{ mark('value_qualifier') }} || {{ mebibyte_label('headline_value', 'headline_metric') }}
        as mebibytes_per_second_label,
    {{ mark('value_qualifier') }}
    || {{ compared_label('per_drive_headline_value', 'headline_metric') }}
        as per_drive_bytes_per_second_label,
    {{ mark('value_qualifier') }}
    || {{ mebibyte_label('per_drive_headline_value', 'headline_metric') }}
        as per_drive_mebibytes_per_second_label,
    if(run_count > 1, min_headline_value, null) as min_headline_value,
    if(run_count > 1, max_headline_value, null) as max_headline_value,
    max_headline_value / min_headline_value - 1 as spread_ratio,
    run_count,
    iops,
    bytes_per_second,
    bytes_per_second / 1048576 as mebibytes_per_second,
    latency_mean_us,
    {{ mark('value_qualifier') }}
    || if(
        run_count > 1,
        {{ median_label('headline_value', 'min_headline_value', 'max_headline_value') }},
        {{ quantity_label('headline_value', 'headline_metric') }}
    ) as value_label,
    value_qualifier,
    outstanding_io_count,
    worker_count,
    condition,
    binding_ceiling,
    ceiling_scope,
    unknown_limits,
    attained_ratio,
    if(ceiling_scope = 'all limits known', attained_ratio, null) as comparable_attained_ratio,
    if({{ has_share('ceiling_scope', 'value_qualifier') }}, attained_ratio, null)
        as shown_attained_ratio,
    {{ attained_label('ceiling_scope', 'value_qualifier', 'attained_ratio') }} as attained_label,
    next_limits.next_attained_ratio,
    next_limits.next_attained_label,
    as_printed,
    source_label,
    measured_at,
    verdict as run_verdict,
    is_example,
    measurement_id,
from {{ ref('int_array_values') }}
left join {{ ref('rpt_run_verdicts') }} using (measurement_id)
left join next_limits using (array_id, profile_id, ceiling_scope)
