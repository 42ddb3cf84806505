-- What an array does at a load profile: the load at which the median of its runs is highest. Runs
-- repeat each other with the same load, engine, condition and file; what is printed stands alone.
-- The run nearest to the median stands for them, of equal ones the newest.
with runs as (
    select
        *,
        median(headline_value) over load as median_value,
        median(iops) over load as median_iops,
        median(bytes_per_second) over load as median_bytes_per_second,
        median(latency_mean_us) over load as median_latency_us,
        median(attained_ratio) over load as median_attained_ratio,
        min(headline_value) over load as least_value,
        max(headline_value) over load as most_value,
        count(*) over load as run_count,
    from {{ ref('measurements') }}
    where is_valid and not is_derived and headline_value is not null
    window
        load as (
            partition by
                array_id, profile_id, {{ same_load() }},
                if(document_id is null, null, measurement_id)
        )
),

typical as (
    select *
    from runs
    qualify
        row_number() over (
            partition by array_id, profile_id
            order by
                median_value desc, abs(headline_value - median_value) asc, measured_at desc,
                measurement_id asc
        ) = 1
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
    median_value as headline_value,
    median_value / drive_count as per_drive_headline_value,
    if(run_count > 1, least_value, null) as min_headline_value,
    if(run_count > 1, most_value, null) as max_headline_value,
    most_value / nullif(least_value, 0) - 1 as spread_ratio,
    run_count,
    median_iops as iops,
    median_bytes_per_second as bytes_per_second,
    median_bytes_per_second / 1048576 as mebibytes_per_second,
    median_latency_us as latency_mean_us,
    {{ mark('value_qualifier') }}
    || if(
        run_count > 1,
        {{ median_label('median_value', 'least_value', 'most_value') }},
        {{ quantity_label('median_value', 'headline_metric') }}
    ) as value_label,
    value_qualifier,
    outstanding_io_count,
    worker_count,
    condition,
    binding_ceiling,
    ceiling_scope,
    unknown_limits,
    median_attained_ratio as attained_ratio,
    if(ceiling_scope = 'all limits known', median_attained_ratio, null)
        as comparable_attained_ratio,
    if(
        ceiling_scope = 'all limits known'
        or {{ is_lower_bound('ceiling_scope', 'value_qualifier') }},
        median_attained_ratio, null
    ) as shown_attained_ratio,
    {{ attained_label('ceiling_scope', 'value_qualifier', 'median_attained_ratio') }}
        as attained_label,
    as_printed,
    source_label,
    measured_at,
    measurement_id,
from typical
