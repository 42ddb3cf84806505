-- A value printed in several editions or places of a page is one point, the first, with all
-- locators; a value for several controllers or profiles is a point for each.
with printed as (
    select
        *,
        row(
            document_id, page, server, each_controller, raid_level, drive, drive_count,
            stripe_bytes, profile_name, outstanding_io_count, queue_depth_per_drive, worker_count,
            condition
        ) as said_of,
    from {{ ref('stg_white_papers__measurements') }}
    cross join {{ each_of('controller') }} as controllers (each_controller)
    cross join {{ each_of('profile') }} as profiles (profile_name)
),

alike as (
    select
        arg_min(printed, (line, sheet_path)) as first_printed,
        {{ of_editions('locator', 'edition_order, line, sheet_path') }} as locator,
        {{ of_editions('note', 'edition_order, line, sheet_path') }} as note,
        string_agg(cast(line as varchar), ', ' order by line) as lines,
        string_agg(distinct edition, ', ' order by edition) as editions,
    from printed
    group by said_of, metric, value, min_value, max_value
),

points as (
    select
        first_printed.* exclude (
            controller, each_controller, edition, edition_order, profile, prefix_base, locator, note
        ),
        first_printed.each_controller as controller,
        * exclude (first_printed),
    from alike
),

-- Points of one place with the same subject are metrics of one run: one measurement. A second value
-- of a metric is another run.
runs as (
    select
        *,
        row(said_of, locator, value_qualifier, derivation, limit_of) as place,
        row_number() over (partition by place, metric order by line) as run_number,
    from points
),

measurements as (
    select
        arg_min(runs, line) as first_point,
        string_agg(as_printed, '; ' order by line) as as_printed,
        string_agg(distinct note, '; ' order by note) as note,
        string_agg(distinct reading_note, '; ' order by reading_note) as reading_note,
        'line ' || string_agg(lines, ', ' order by line) as source_position,
        map_from_entries(list((metric, value) order by metric)) as stated,
        string_agg(concat_ws('|', metric, value, min_value, max_value), '|' order by metric)
            as all_stated,
        max(min_value) filter (where metric = 'iops') as min_iops,
        max(max_value) filter (where metric = 'iops') as max_iops,
        max(min_value) filter (where metric = 'throughput') as min_bytes_per_second,
        max(max_value) filter (where metric = 'throughput') as max_bytes_per_second,
        max(min_value) filter (where metric = 'latency_mean') as min_latency_mean_us,
        max(max_value) filter (where metric = 'latency_mean') as max_latency_mean_us,
    from runs
    group by place, run_number
),

unpacked as (
    select
        first_point.* exclude (
            said_of, place, run_number, line, lines, metric, value, min_value, max_value,
            as_printed, note, reading_note
        ),
        measurements.* exclude (first_point),
    from measurements
),

-- a document's usual processor, and those that it says reach the same
processors as (
    select
        document_id,
        list(distinct as_printed) as usual,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'environment' and attribute = 'cpu'
    group by document_id
)

select
    unpacked.* exclude (all_stated) replace (
        coalesce(outstanding_io_count, queue_depth_per_drive * drive_count) as outstanding_io_count
    ),
    document_id || coalesce('-p' || unpacked.page, '') || '-' || left(md5(concat_ws(
        '|', server, controller, raid_level, drive, drive_count, profile_name, condition,
        outstanding_io_count, 'per drive ' || queue_depth_per_drive, 'workers ' || worker_count,
        all_stated, 'stripe ' || stripe_bytes
    )), 8) as measurement_id,
    'white_paper' as source_format,
    profiles.profile_id,
    profiles.read_ratio,
    stated['read_iops'] as read_iops,
    stated['write_iops'] as write_iops,
    coalesce(stated['iops'], read_iops + write_iops) as io_rate,
    stated['read_throughput'] as read_bytes_per_second,
    stated['write_throughput'] as write_bytes_per_second,
    coalesce(stated['throughput'], read_bytes_per_second + write_bytes_per_second) as data_rate,
    coalesce(io_rate, data_rate / profiles.block_bytes) as iops,
    coalesce(data_rate, io_rate * profiles.block_bytes) as bytes_per_second,
    case
        when iops is not null and io_rate is null then 'iops'
        when bytes_per_second is not null and data_rate is null then 'bytes_per_second'
    end as converted_column,
    stated['latency_mean'] as latency_mean_us,
    stated['latency_min'] as latency_min_us,
    stated['latency_max'] as latency_max_us,
    coalesce(stated['latency_p50'], stated['completion_latency_p50']) as latency_p50_us,
    coalesce(stated['latency_p95'], stated['completion_latency_p95']) as latency_p95_us,
    coalesce(stated['latency_p99'], stated['completion_latency_p99']) as latency_p99_us,
    coalesce(stated['latency_p999'], stated['completion_latency_p999']) as latency_p999_us,
    -- 'SAS 12G' of a condition '... controllers (SAS-12G)'
    case
        when unpacked.controller is null
            then replace(
                nullif(regexp_extract(unpacked.condition, '[(](S\w+-\w+)[)]', 1), ''), '-', ' '
            )
    end as controller_generation,
    -- of drives without a name, 'SSD' of a condition 'SSDs; most'
    case
        when unpacked.drive is null
            then nullif(regexp_extract(unpacked.condition, '(^|; )(HDD|SSD)s(;|$)', 2), '')
    end as drive_media,
    coalesce(derivation = 'estimated', false) as is_derived,
    true as is_valid,
    coalesce(
        unpacked.condition like '%CPU %'
        and coalesce(
            len(list_filter(processors.usual, lambda cpu: contains(unpacked.condition, cpu))), 0
        ) = 0, false
    ) as has_own_processor,
from unpacked
left join {{ ref('int_white_papers__profiles') }} as profiles using (document_id, profile_name)
left join processors using (document_id)
