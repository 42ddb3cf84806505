-- Without the name of the database: a published copy of the file has another one.
{{ config(materialized='view') }}

select
    * exclude (
        source, source_label, document_title, publisher, commissioned_by, document_url,
        controller, drive, raid_level, drive_count, stripe_bytes, array_label, marked_label,
        vendor_label, controller_label, controller_generation_label, raid_level_label,
        drive_media_label, profile_label, access_pattern, random_ratio, read_ratio, block_bytes,
        worker_label, worker_outstanding_io_count, worker_outstanding_label,
        headline_metric, headline_value, per_drive_headline_value, is_best_of_array,
        ceiling_iops, ceiling_bytes_per_second, binding_ceiling, attained_ratio,
        mebibytes_per_second, unknown_limits, ceiling_scope, comparable_attained_ratio,
        attained_label, setup_label,
        littles_law_ratio, throughput_ratio, latency_p99_range, has_sidecar, series_name, series_id
    )
from {{ ref('measurements').include(database=false) }}
