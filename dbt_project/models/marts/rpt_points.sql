-- Measurements as boards filter, label and rank them. A column to choose by says 'not stated' where
-- the source does not say, so that the choice of all is all.
with points as (
    select
        measurements.*,
        arrays.array_label,
        profiles.profile_label,
        profiles.headline_metric,
        if(
            profiles.headline_metric = 'iops', measurements.iops, measurements.bytes_per_second
        ) as headline_value,
        case measurements.value_qualifier
            when 'approximate' then '≈ '
            when 'at_least' then '≥ '
            when 'at_most' then '≤ '
            else ''
        end as qualifier_mark,
    from {{ ref('measurements') }} as measurements
    left join {{ ref('dim_arrays') }} as arrays using (array_id)
    left join {{ ref('dim_load_profiles') }} as profiles
        on measurements.profile_id = profiles.profile_id
)

select
    measurement_id,
    source_format,
    coalesce(document_id, source_format) as source,
    concat_ws(
        ', ', document_title, 'p. ' || pages, case when document_id is null then source_path end
    )
        as source_label,
    source_path,
    document_id,
    commissioned_by,
    measured_at,
    coalesce(vendor, 'not stated') as vendor,
    coalesce(controller, 'not stated') as controller,
    coalesce(controller_generation, 'not stated') as controller_generation,
    coalesce(raid_level, 'not stated') as raid_level,
    coalesce(drive_media, 'not stated') as drive_media,
    drive,
    drive_count,
    array_id,
    array_label,
    qualifier_mark || array_label as marked_label,
    profile_id,
    profile_label,
    condition,
    outstanding_io_count,
    worker_count,
    lpad(worker_count::varchar, 5, ' ') as worker_label,
    outstanding_io_count // worker_count as worker_outstanding_io_count,
    lpad((outstanding_io_count // worker_count)::varchar, 5, ' ') as worker_outstanding_label,
    iops,
    bytes_per_second,
    latency_mean_us,
    latency_p99_us,
    value_qualifier,
    as_printed,
    headline_metric,
    headline_value,
    headline_value / drive_count as per_drive_headline_value,
    attained_ratio,
    binding_ceiling,
    is_valid,
    is_valid and not is_derived and headline_value is not null and row_number() over (
        partition by array_id, profile_id, is_valid and not is_derived
        order by headline_value desc nulls last, measurement_id asc
    ) = 1 as is_best_of_array,
from points
-- what a board asks for lies together
order by profile_id, measurement_id
