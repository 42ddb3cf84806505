with profiles as (
    select * from {{ ref('int_load_profiles') }}
),

controllers as (
    select * from {{ ref('int_controllers') }}
),

-- Values that stand at one place and are said of the same things are the metrics of one run: one
-- measurement. A second value of a metric is another run.
numbered as (
    select
        *,
        row_number() over (
            partition by
                document_id, page, locator, server, controller, raid_level, drive, drive_count,
                stripe_bytes, profile, outstanding_io_count, queue_depth_per_drive, worker_count,
                condition, qualifier, derivation, limit_of, metric
            order by first_line
        ) as run,
    from {{ ref('int_white_papers__points') }}
),

runs as (
    select
        document_id,
        page,
        locator,
        server,
        controller,
        raid_level,
        drive,
        drive_count,
        stripe_bytes,
        profile,
        outstanding_io_count,
        queue_depth_per_drive,
        worker_count,
        condition,
        qualifier,
        derivation,
        limit_of,
        run,
        arg_min_null(file_id, first_line) as file_id,
        arg_min_null(sheet_path, first_line) as sheet_path,
        arg_min_null(last_page, first_line) as last_page,
        arg_min_null(raid_level_as_printed, first_line) as raid_level_as_printed,
        arg_min_null(editions, first_line) as editions,
        string_agg(lines, ', ' order by first_line) as lines,
        string_agg(as_printed, '; ' order by first_line) as as_printed,
        string_agg(distinct note, ' | ' order by note) as note,
        string_agg(distinct reading_note, ' | ' order by reading_note) as reading_note,
        string_agg(
            concat_ws('|', metric, value, min_value, max_value), '|' order by metric
        ) as figures,
        max(value) filter (where metric = 'iops') as stated_iops,
        max(min_value) filter (where metric = 'iops') as min_iops,
        max(max_value) filter (where metric = 'iops') as max_iops,
        max(value) filter (where metric = 'read_iops') as read_iops,
        max(value) filter (where metric = 'write_iops') as write_iops,
        max(value) filter (where metric = 'throughput') as stated_bytes_per_second,
        max(min_value) filter (where metric = 'throughput') as min_bytes_per_second,
        max(max_value) filter (where metric = 'throughput') as max_bytes_per_second,
        max(value) filter (where metric = 'read_throughput') as read_bytes_per_second,
        max(value) filter (where metric = 'write_throughput') as write_bytes_per_second,
        max(value) filter (where metric = 'latency_mean') as latency_mean_us,
        max(min_value) filter (where metric = 'latency_mean') as min_latency_mean_us,
        max(max_value) filter (where metric = 'latency_mean') as max_latency_mean_us,
        max(value) filter (where metric = 'latency_min') as latency_min_us,
        max(value) filter (where metric = 'latency_max') as latency_max_us,
        {{ printed_percentile('p50') }} as latency_p50_us,
        {{ printed_percentile('p95') }} as latency_p95_us,
        {{ printed_percentile('p99') }} as latency_p99_us,
        {{ printed_percentile('p999') }} as latency_p999_us,
        list(
            struct_pack(metric := metric, latency_us := value) order by metric
        ) filter (where regexp_matches(metric, '_p[0-9]+$') and value is not null) as percentiles,
    from numbered
    group by all
),

rates as (
    select
        runs.*,
        documents.is_stripe_controller_default,
        documents.tool_name,
        documents.tool_version,
        files.path,
        profiles.profile_id,
        profiles.read_ratio,
        profiles.block_bytes,
        controllers.default_stripe_bytes,
        coalesce(stated_iops, read_iops + write_iops) as iops_in_all,
        coalesce(
            stated_bytes_per_second, read_bytes_per_second + write_bytes_per_second
        ) as bytes_per_second_in_all,
    from runs
    inner join {{ ref('stg_white_papers__documents') }} as documents using (document_id)
    inner join {{ ref('stg_files') }} as files on runs.file_id = files.file_id
    left join profiles
        on runs.document_id = profiles.document_id and runs.profile = profiles.profile_name
    left join controllers on runs.controller = controllers.controller
)

select
    document_id || coalesce('-p' || page, '') || '-' || left(
        md5(
            concat_ws(
                '|', server, controller, raid_level, drive, drive_count, profile, condition,
                outstanding_io_count, 'per drive ' || queue_depth_per_drive,
                'workers ' || worker_count, figures, 'stripe ' || stripe_bytes
            )
        ), 8
    ) as measurement_id,
    'white_paper' as source_format,
    file_id,
    regexp_replace(path, 'document\.yml$', sheet_path) as source_path,
    'line ' || lines as source_position,
    document_id,
    page,
    last_page,
    locator,
    tool_name,
    tool_version,
    server,
    controller,
    raid_level,
    raid_level_as_printed,
    drive,
    drive_count,
    coalesce(
        stripe_bytes,
        case
            when is_stripe_controller_default and raid_level != 'JBOD' then default_stripe_bytes
        end
    ) as stripe_bytes,
    profile_id,
    profile as profile_name,
    read_ratio,
    condition,
    coalesce(outstanding_io_count, queue_depth_per_drive * drive_count) as outstanding_io_count,
    queue_depth_per_drive,
    worker_count,
    coalesce(iops_in_all, bytes_per_second_in_all / block_bytes) as iops,
    read_iops,
    write_iops,
    min_iops,
    max_iops,
    coalesce(bytes_per_second_in_all, iops_in_all * block_bytes) as bytes_per_second,
    read_bytes_per_second,
    write_bytes_per_second,
    min_bytes_per_second,
    max_bytes_per_second,
    case
        when block_bytes is null then null
        when iops_in_all is null and bytes_per_second_in_all is not null then 'iops'
        when bytes_per_second_in_all is null and iops_in_all is not null then 'bytes_per_second'
    end as converted_column,
    latency_mean_us,
    min_latency_mean_us,
    max_latency_mean_us,
    latency_p50_us,
    latency_p95_us,
    latency_p99_us,
    latency_p999_us,
    latency_min_us,
    latency_max_us,
    percentiles,
    qualifier as value_qualifier,
    as_printed,
    derivation,
    coalesce(derivation = 'estimated', false) as is_derived,
    limit_of,
    editions,
    true as is_valid,
    note,
    reading_note,
from rates
