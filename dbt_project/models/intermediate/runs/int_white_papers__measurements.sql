-- Values that stand at one place and are said of the same things are the metrics of one run: one
-- measurement. A second value of a metric is another run.
with points as (
    select
        *,
        row(
            document_id, page, locator, server, controller, raid_level, drive, drive_count,
            stripe_bytes, profile_name, outstanding_io_count, queue_depth_per_drive, worker_count,
            condition, value_qualifier, derivation, limit_of
        ) as place,
        row_number() over (partition by place, metric order by line) as run_number,
    from {{ ref('int_white_papers__points') }}
),

runs as (
    select
        * exclude (lines, metric, value, min_value, max_value) replace (
            string_agg(as_printed, '; ' order by line) over run as as_printed,
            string_agg(distinct note, ' | ' order by note) over run as note,
            string_agg(distinct reading_note, ' | ' order by reading_note) over run as reading_note
        ),
        'line ' || string_agg(lines, ', ' order by line) over run as source_position,
        string_agg(
            concat_ws('|', metric, value, min_value, max_value), '|' order by metric
        ) over run as figures,
        map_from_entries(list((metric, value)) over run) as stated,
        map_from_entries(list((metric, min_value)) over run) as low,
        map_from_entries(list((metric, max_value)) over run) as high,
        list(
            struct_pack(metric := metric, latency_us := value) order by metric
        ) filter (where regexp_matches(metric, '_p[0-9]+$') and value is not null) over run
            as percentiles,
    from points
    window run as (partition by place, run_number)
    qualify row_number() over (run order by line) = 1
),

measured as (
    select
        runs.* exclude (place, run_number, sheet_path, line),
        regexp_replace(files.path, 'document\.yml$', runs.sheet_path) as source_path,
        documents.tool_name,
        documents.tool_version,
        profiles.profile_id,
        profiles.read_ratio,
        profiles.block_bytes,
        controllers.default_stripe_bytes,
        stated['read_iops'] as read_iops,
        stated['write_iops'] as write_iops,
        stated['read_throughput'] as read_bytes_per_second,
        stated['write_throughput'] as write_bytes_per_second,
        coalesce(stated['iops'], read_iops + write_iops) as io_rate,
        coalesce(stated['throughput'], read_bytes_per_second + write_bytes_per_second) as data_rate,
    from runs
    inner join {{ ref('stg_white_papers__documents') }} as documents using (document_id)
    inner join {{ ref('stg_files') }} as files on runs.file_id = files.file_id
    left join {{ ref('int_white_papers__profiles') }} as profiles using (document_id, profile_name)
    left join {{ ref('int_controllers') }} as controllers
        on
            {{ slug('runs.controller') }} = controllers.controller_id
            and documents.is_stripe_controller_default
            and runs.raid_level != 'JBOD'
)

select
    * exclude (
        figures, stated, low, high, block_bytes, default_stripe_bytes, io_rate, data_rate
    ) replace (
        coalesce(stripe_bytes, default_stripe_bytes) as stripe_bytes,
        coalesce(outstanding_io_count, queue_depth_per_drive * drive_count) as outstanding_io_count
    ),
    document_id || coalesce('-p' || page, '') || '-' || left(md5(concat_ws(
        '|', server, controller, raid_level, drive, drive_count, profile_name, condition,
        outstanding_io_count, 'per drive ' || queue_depth_per_drive, 'workers ' || worker_count,
        figures, 'stripe ' || stripe_bytes
    )), 8) as measurement_id,
    'white_paper' as source_format,
    coalesce(io_rate, data_rate / block_bytes) as iops,
    low['iops'] as min_iops,
    high['iops'] as max_iops,
    coalesce(data_rate, io_rate * block_bytes) as bytes_per_second,
    low['throughput'] as min_bytes_per_second,
    high['throughput'] as max_bytes_per_second,
    case
        when iops is not null and io_rate is null then 'iops'
        when bytes_per_second is not null and data_rate is null then 'bytes_per_second'
    end as converted_column,
    stated['latency_mean'] as latency_mean_us,
    low['latency_mean'] as min_latency_mean_us,
    high['latency_mean'] as max_latency_mean_us,
    stated['latency_min'] as latency_min_us,
    stated['latency_max'] as latency_max_us,
    {{ printed_percentile('p50') }} as latency_p50_us,
    {{ printed_percentile('p95') }} as latency_p95_us,
    {{ printed_percentile('p99') }} as latency_p99_us,
    {{ printed_percentile('p999') }} as latency_p999_us,
    coalesce(derivation = 'estimated', false) as is_derived,
    true as is_valid,
from measured
