-- fio's documented defaults where a file has options and not this one (HOWTO): rw=read,
-- rwmixread=50, percentage_random=100, iodepth=1, numjobs=1. A block size is not assumed.
with jobs as (
    select
        *,
        case when options is not null then coalesce(options ->> 'rw', 'read') end as rw,
        coalesce(options ->> 'bssplit', options ->> 'bsrange', options ->> 'bs') as block_option,
        options ->> 'ioengine' as io_engine,
        coalesce(options ->> 'percentage_random', '100') as percentage_random,
        case
            when (options ->> 'rwmixread') is not null
                then try_cast(options ->> 'rwmixread' as double) / 100
            when (options ->> 'rwmixwrite') is not null
                then 1 - try_cast(options ->> 'rwmixwrite' as double) / 100
            else 0.5
        end as mixed_read_ratio,
        try_cast(coalesce(options ->> 'iodepth', '1') as bigint) as io_depth,
        try_cast(coalesce(options ->> 'numjobs', '1') as bigint) as process_count,
    from {{ source('raw', 'fio_jobs') }}
    where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
),

-- With group_reporting the processes of a job are one entry; without, each is an entry of its own
-- and stands for itself. A synchronous engine has one I/O outstanding, whatever iodepth says.
effective as (
    select
        *,
        case when sibling_count > 1 then 1 else process_count end as worker_count,
        case
            when io_engine in ('sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap') then 1
            else io_depth
        end as effective_io_depth,
    from jobs
)

select
    -- ids
    file_id,
    job_index,

    -- categories
    job_name,
    case when document_line > 1 then 'line ' || document_line || ' ' else '' end
    || 'jobs[' || document_job_index || '] ' || job_name
    || coalesce(' on ' || hostname, '') as source_position,
    regexp_replace(fio_version, '^fio-', '') as fio_version,
    concat_ws(
        '; ',
        'rate limited to ' || coalesce(options ->> 'rate_iops', options ->> 'rate'),
        case
            when (options ->> 'latency_target') is not null
                then 'queue depth varied by latency_target'
        end,
        case when (options ->> 'verify') is not null then 'reads of verify are counted' end
    ) as conditions,
    is_snapshot or is_total as is_part_of_another,
    error = 0 as is_valid,
    case when error != 0 then 'fio ended the job with error ' || error end as validity_note,

    -- load profile
    case
        when rw in ('randread', 'randwrite', 'randrw')
            then try_cast(percentage_random as double) / 100
        when rw in ('read', 'write', 'rw', 'readwrite') then 0.0
    end as random_ratio,
    case
        when rw in ('read', 'randread') then 1.0
        when rw in ('write', 'randwrite') then 0.0
        when rw in ('rw', 'readwrite', 'randrw') then mixed_read_ratio
    end as read_ratio,
    block_option,
    {{ fio_size_bytes('block_option') }} as block_bytes,
    case when options is not null then effective_io_depth * worker_count end
        as outstanding_io_count,
    case when options is not null then worker_count end as worker_count,

    -- timestamps (UTC): fio prints when it ends
    make_timestamp(printed_at_ms * 1000) as measured_at,
from effective
