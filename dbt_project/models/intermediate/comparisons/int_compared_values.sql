-- The value that stands for an array at a load profile. Our own runs with the same settings are one
-- value, their median; what a paper prints stands alone. Of several settings the highest counts: an
-- exact one before others that are no tenth higher, any before an "up to", the paper's usual
-- processor before one that it names.
with settings as (
    select
        profile_id,
        any_value(headline_metric) as headline_metric,
        array_label,
        array_id,
        any_value(controller) as controller,
        any_value(raid_level) as raid_level,
        any_value(drive) as drive,
        any_value(drive_media) as drive_media,
        any_value(drive_count) as drive_count,
        document_id,
        any_value(document_title) as document_title,
        if(document_id is null, null, measurement_id) as printed_id,
        max_by(measurement_id, (measured_at, measurement_id)) as measurement_id,
        min(source_format) as source_format,
        max(measured_at) as measured_at,
        any_value(pages) as pages,
        any_value(as_printed) as as_printed,
        value_qualifier,
        has_own_processor,
        condition,
        io_engine,
        worker_count,
        outstanding_io_count,
        median(headline_value) as headline_value,
        min(headline_value) as min_headline_value,
        max(headline_value) as max_headline_value,
        median(latency_mean_us) as latency_mean_us,
        any_value(binding_ceiling) as binding_ceiling,
        any_value(if(headline_metric = 'iops', ceiling_iops, ceiling_bytes_per_second))
            as ceiling_value,
        median(attained_ratio) as attained_ratio,
        any_value(ceiling_scope) as ceiling_scope,
        count(*) as measurement_count,
    from {{ ref('measurements') }}
    where is_valid and not is_derived and headline_value > 0
    group by all
),

ranked as (
    select
        *,
        value_qualifier = 'exact'
        and headline_value >= 0.9 * max(headline_value)
            over (partition by profile_id, array_label, has_own_processor) as is_near_exact,
    from settings
)

select
    ranked.* exclude (
        printed_id, has_own_processor, io_engine, worker_count, is_near_exact
    ),
    profiles.profile_label,
    profiles.profile_short_label,
from ranked
inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
qualify
    row_number() over (
        partition by profile_id, array_label
        order by
            has_own_processor asc, is_near_exact desc, value_qualifier = 'at_most' asc,
            headline_value desc, value_qualifier = 'exact' desc, measurement_id asc
    ) = 1
