with profiles as (
    select * from {{ ref('int_load_profiles') }}
),

controllers as (
    select * from {{ ref('int_controllers') }}
),

points as (
    select
        points.*,
        documents.is_stripe_controller_default,
        documents.tool_name,
        documents.tool_version,
        files.path,
        profiles.profile_id,
        profiles.is_single_block,
        profiles.block_bytes,
        profiles.stream_count,
        controllers.default_stripe_bytes,
    from {{ ref('int_white_papers__points') }} as points
    inner join {{ ref('stg_white_papers__documents') }} as documents using (document_id)
    inner join {{ ref('stg_files') }} as files on points.file_id = files.file_id
    left join profiles
        on points.document_id = profiles.document_id and points.profile = profiles.profile_name
    left join controllers on points.controller = controllers.controller
)

select
    document_id || coalesce('-p' || page, '') || '-' || left(
        md5(
            concat_ws(
                '|', server, controller, raid_level, drive, drive_count, profile, condition, metric,
                outstanding_io_count, 'per drive ' || queue_depth_per_drive,
                value, min_value, max_value, 'stripe ' || stripe_bytes
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
    condition,
    coalesce(outstanding_io_count, queue_depth_per_drive * drive_count) as outstanding_io_count,
    metric,
    case metric
        when 'iops' then value
        when 'throughput' then value / block_bytes
    end as iops,
    case metric
        when 'throughput' then value
        when 'iops' then value * block_bytes
    end as bytes_per_second,
    case when metric = 'iops' then min_value end as min_iops,
    case when metric = 'iops' then max_value end as max_iops,
    case when metric = 'throughput' then min_value end as min_bytes_per_second,
    case when metric = 'throughput' then max_value end as max_bytes_per_second,
    case when metric = 'latency_mean' then value end as latency_mean_us,
    case when metric = 'latency_mean' then min_value end as min_latency_mean_us,
    case when metric = 'latency_mean' then max_value end as max_latency_mean_us,
    case when metric = 'latency_max' then value end as latency_max_us,
    case
        when block_bytes is null then null
        when metric = 'iops' then 'bytes_per_second'
        when metric = 'throughput' then 'iops'
    end as converted_column,
    qualifier as value_qualifier,
    as_printed,
    is_derived,
    editions,
    true as is_valid,
    note,
from points
