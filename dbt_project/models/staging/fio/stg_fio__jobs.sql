-- fio's documented defaults where a file has options and not this one (HOWTO): rw=read, bs=4k,
-- rwmixread=50, percentage_random=100, ioengine=psync, iodepth=1, numjobs=1; `defaulted_settings`
-- names those that count here. With group_reporting a group's jobs are one entry; how many
-- processes they have, job_runtime says, which is summed over them. Without it the first of several
-- processes stands for all.
with jobs as (
    select
        *,
        options is not null as has_options,
        string_split(options ->> 'rw', ':')[1] as rw_option,
        options ->> 'iodepth' as iodepth_option,
        (options ->> 'verify') is not null as is_verified,
        options ->> 'numjobs' as numjobs_option,
        coalesce(options ->> 'bssplit', options ->> 'bsrange', options ->> 'bs') as block_option,
        coalesce(options ->> 'kb_base', '1024') as kb_base,
        string_split(coalesce(options ->> 'percentage_random', '100'), ',') as random_percents,
        case
            when (options ->> 'rwmixread') is not null
                then try_cast(options ->> 'rwmixread' as double) / 100
            when (options ->> 'rwmixwrite') is not null
                then 1 - try_cast(options ->> 'rwmixwrite' as double) / 100
            else 0.5
        end as mixed_read_ratio,
    from {{ source('raw', 'fio_jobs') }}
    where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
),

runtimes as (
    select
        file_id,
        job_index,
        max(runtime_seconds) as runtime_seconds,
    from {{ ref('stg_fio__directions') }}
    group by file_id, job_index
),

settings as (
    select
        jobs.* exclude (error, total_error_count, steady_state_attained),
        entries.first_job_index,
        entries.entry_count,
        entries.process_count,
        entries.io_share_ratio,
        max(runtimes.runtime_seconds) over measurement as runtime_seconds,
        min(runtimes.runtime_seconds) over measurement as min_runtime_seconds,
        max(nullif(jobs.error, 0)) over measurement as error,
        sum(jobs.total_error_count) over measurement as total_error_count,
        min(jobs.steady_state_attained) over measurement as steady_state_attained,
        max(jobs.document_job_index) over measurement as last_document_job_index,
        case when has_options then coalesce(rw_option, 'read') end as rw,
        case
            when not has_options then null
            when coalesce(rw_option, 'read') in ('read', 'randread') then 1.0
            when rw_option in ('write', 'randwrite') then 0.0
            when rw_option in ('rw', 'readwrite', 'randrw') then mixed_read_ratio
        end as read_ratio,
        try_cast(random_percents[1] as double) / 100 as random_read_ratio,
        try_cast(coalesce(random_percents[2], random_percents[1]) as double) / 100
            as random_write_ratio,
        case when has_options then coalesce(options ->> 'ioengine', 'psync') end as io_engine,
        if(iodepth_option is null, 1, {{ fio_size_bytes('iodepth_option', 'kb_base') }})
            as io_depth,
        round(job_runtime_ms / 1e3 / nullif(runtimes.runtime_seconds, 0)) as member_count,
    from jobs
    inner join {{ ref('stg_fio__entries') }} as entries using (file_id, job_index)
    left join runtimes using (file_id, job_index)
    window measurement as (partition by file_id, entries.first_job_index)
),

-- A group of one job has numjobs processes; with twice as many, several jobs are in it, and the
-- options are those of only one. Siblings that are not the processes of one job are one each.
groups as (
    select
        *,
        sibling_count = 1 and not is_verified
        and coalesce(member_count >= 2 * process_count, false) as is_merged,
    from settings
),

-- A synchronous engine has one I/O outstanding, whatever iodepth says.
effective as (
    select
        *,
        case
            when sibling_count > 1 and entry_count = 1 then 1
            when is_merged then cast(member_count as bigint)
            else process_count
        end as worker_count,
        case
            when
                io_engine in (
                    'sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap', 'splice', 'falloc',
                    'ftruncate', 'e4defrag', 'filecreate', 'filestat', 'filedelete', 'libpmem',
                    'dev-dax', 'mtd'
                )
                then 1
            else io_depth
        end as effective_io_depth,
    from groups
),

torn_files as (
    select distinct file_id
    from {{ source('raw', 'fio_notes') }}
    where text like 'torn document%'
)

select
    -- ids
    effective.file_id,
    job_index,

    -- categories
    job_name,
    case when document_line > 1 then 'line ' || document_line || ' ' else '' end
    || 'jobs[' || document_job_index
    || case when entry_count > 1 then '..' || last_document_job_index else '' end
    || '] ' || job_name
    || coalesce(' on ' || hostname, '') as source_position,
    document_line,
    document_job_index,
    regexp_replace(fio_version, '^fio-', '') as fio_version,
    concat_ws(
        '; ',
        'rate limited to ' || coalesce(options ->> 'rate_iops', options ->> 'rate'),
        case
            when (options ->> 'latency_target') is not null
                then 'queue depth varied by latency_target'
        end,
        'random_distribution ' || nullif(options ->> 'random_distribution', 'random'),
        case when rw like '%trim%' then 'trims' end,
        case when is_merged then 'several jobs reported as one' end,
        case
            when is_verified and read_ratio = 0 then 'reads of verify are left out'
            when is_verified then 'reads of verify are counted'
        end
    ) as conditions,
    first_job_index,
    entry_count,
    is_snapshot or is_total or job_index != first_job_index as is_part_of_another,
    error is null as is_valid,
    nullif(
        concat_ws(
            '; ',
            'fio ended the job with error ' || error,
            case when error is null then nullif(total_error_count, 0) || ' I/Os failed' end,
            case
                when min_runtime_seconds < 0.9 * runtime_seconds
                    then
                        'its processes ran for ' || {{ short('min_runtime_seconds') }}
                        || ' to ' || {{ short('runtime_seconds') }} || ' s'
            end,
            case when torn_files.file_id is not null then 'the file ends in a torn document' end
        ), ''
    ) as validity_note,
    case
        when has_options
            then nullif(
                concat_ws(
                    ', ',
                    case when rw_option is null then 'rw=read' end,
                    case when block_option is null then 'bs=4k' end,
                    case when (options ->> 'ioengine') is null then 'ioengine=psync' end,
                    case when iodepth_option is null then 'iodepth=1' end,
                    case when numjobs_option is null then 'numjobs=1' end
                ), ''
            )
    end as defaulted_settings,

    -- load profile
    rw,
    case
        when is_merged then null
        when rw in ('read', 'write', 'rw', 'readwrite', 'trim', 'trimwrite') then 0.0
        when rw like 'rand%'
            then round(
                coalesce(read_ratio, 0) * random_read_ratio
                + (1 - coalesce(read_ratio, 0)) * random_write_ratio, 6
            )
    end as random_ratio,
    case when not is_merged then read_ratio end as read_ratio,
    case when not is_merged then block_option end as block_option,
    is_merged,
    is_verified and coalesce(read_ratio = 0, false) as has_verify_reads,

    -- load
    io_engine,
    case when has_options and not is_merged then effective_io_depth * worker_count end
        as outstanding_io_count,
    case when has_options and not is_merged then io_depth * worker_count end
        as requested_outstanding_io_count,
    case when has_options then worker_count end as worker_count,
    round(
        sum(
            io_share_ratio * {{ fio_io_depth_reached_ratio('io_depth_level_percent', 'io_depth') }}
        ) over (partition by effective.file_id, first_job_index), 12
    ) as io_depth_reached_ratio,
    runtime_seconds,
    {{ fio_time_seconds("options ->> 'runtime'") }} as requested_runtime_seconds,
    {{ fio_size_bytes("options ->> 'size'", 'kb_base') }} as file_size_bytes,

    -- steady state, where it was asked for
    steady_state_attained = 1 as is_steady_state_attained,

    -- timestamps (UTC): fio prints when it ends
    make_timestamp(printed_at_ms * 1000) as measured_at,

    -- what its logs are called
    options ->> 'write_bw_log' as bw_log,
    options ->> 'write_iops_log' as iops_log,
    options ->> 'write_lat_log' as latency_log,
from effective
left join torn_files using (file_id)
