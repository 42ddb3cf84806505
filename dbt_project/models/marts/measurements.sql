-- What the catalog says of a controller or a drive counts before what the source says of it. A
-- board compares points by their headline: IOPS of small blocks, throughput of large ones.
with points as (
    select
        measured.* exclude (
            last_page, queue_depth_per_drive, system_source, rounding_ratio
        ) replace (
            coalesce(controllers.vendor, measured.vendor, drives.vendor) as vendor,
            controllers.controller as controller,
            coalesce(controllers.controller_generation, measured.controller_generation)
                as controller_generation,
            drives.drive as drive,
            coalesce(drives.drive_media, measured.drive_media) as drive_media,
            coalesce(drives.drive_interface, measured.drive_interface) as drive_interface,
            profiles.read_ratio as read_ratio,
            coalesce(percentiles.latency_p50_us, measured.latency_p50_us) as latency_p50_us,
            coalesce(percentiles.latency_p95_us, measured.latency_p95_us) as latency_p95_us,
            coalesce(percentiles.latency_p99_us, measured.latency_p99_us) as latency_p99_us,
            coalesce(percentiles.latency_p999_us, measured.latency_p999_us) as latency_p999_us
        ),
        percentiles.* exclude (
            file_id, measurement_id, latency_p50_us, latency_p95_us, latency_p99_us, latency_p999_us
        ),
        {{ page_span('measured.page', 'measured.last_page') }} as pages,
        arrays.array_label,
        profiles.access_pattern,
        profiles.random_ratio,
        profiles.block_bytes,
        profiles.mean_block_bytes,
        profiles.profile_label,
        profiles.headline_metric,
        documents.document_title,
        documents.publisher,
        documents.commissioned_by,
        documents.url as document_url,
        ceilings.iops as ceiling_iops,
        ceilings.bytes_per_second as ceiling_bytes_per_second,
        ceilings.binding_ceiling,
        ceilings.iops_binding_ceiling,
        ceilings.unknown_limits,
        best.measurement_id is not null as is_best_of_array,
        coalesce(superseded.measurement_id, measured.combined_id) is not null as is_superseded,
    from {{ ref('int_results') }} as measured
    left join {{ ref('int_fio__measured_percentiles') }} as percentiles using (measurement_id)
    left join {{ ref('dim_documents') }} as documents using (document_id)
    left join {{ ref('dim_controllers') }} as controllers using (controller_id)
    left join {{ ref('dim_drives') }} as drives using (drive_id)
    left join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    left join {{ ref('dim_arrays') }} as arrays using (array_id)
    left join {{ ref('int_ceilings') }} as ceilings
        on
            measured.array_id = ceilings.array_id
            and measured.profile_id = ceilings.profile_id
            and ceilings.basis = 'practical'
    left join {{ ref('int_best_measurements') }} as best using (measurement_id)
    left join {{ ref('int_superseded_examples') }} as superseded using (measurement_id)
)

select
    * exclude (mean_block_bytes, iops_binding_ceiling) replace (
        if(
            iops / ceiling_iops
            > coalesce(bytes_per_second / ceiling_bytes_per_second, 0),
            iops_binding_ceiling, binding_ceiling
        ) as binding_ceiling
    ),
    greatest(bytes_per_second / ceiling_bytes_per_second, iops / ceiling_iops) as attained_ratio,
    case
        when attained_ratio is null then null
        when limit_of in (binding_ceiling, iops_binding_ceiling) then 'value is the limit'
        when has_own_processor and 'controller' in (binding_ceiling, iops_binding_ceiling)
            then 'limit of another processor'
        when unknown_limits is not null then 'some limits unknown'
        else 'all limits known'
    end as ceiling_scope,
    if(ceiling_scope = 'all limits known', attained_ratio, null) as comparable_attained_ratio,
    {{ attained_label('ceiling_scope', 'value_qualifier', 'attained_ratio') }} as attained_label,
    {{ latency_range('latency_p99_us') }} as latency_p99_range,
    iops * latency_mean_us / 1e6 / nullif(outstanding_io_count, 0) as littles_law_ratio,
    case when converted_column is null then bytes_per_second / (iops * mean_block_bytes) end
        as throughput_ratio,
    -- to choose by: what no source states can be chosen as such, so that the choice of all is all
    coalesce(vendor, 'not reported') as vendor_label,
    coalesce(controller, 'not reported') as controller_label,
    coalesce(controller_generation, 'not reported') as controller_generation_label,
    coalesce(raid_level, 'not reported') as raid_level_label,
    coalesce(drive_media, 'not reported') as drive_media_label,
    coalesce(document_id, source_format) as source,
    concat_ws(
        ', ', document_title, 'p. ' || pages, case when document_id is null then source_path end
    ) as source_label,
    array_label || {{ qualifier_suffix('value_qualifier') }} as marked_label,
    lpad(worker_count::varchar, 5, ' ') as worker_label,
    outstanding_io_count // worker_count as worker_outstanding_io_count,
    lpad(worker_outstanding_io_count::varchar, 5, ' ') as worker_outstanding_label,
    if(headline_metric = 'iops', iops, bytes_per_second) as headline_value,
    concat_ws(', ', array_label, condition, io_engine) as setup_label,
    bytes_per_second / 1048576 as mebibytes_per_second,
    headline_value / drive_count as per_drive_headline_value,
from points
-- what a board asks for lies together
order by profile_id, measurement_id
