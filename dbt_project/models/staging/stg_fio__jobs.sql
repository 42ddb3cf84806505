with jobs as (
    select
        *,
        options ->> 'rw' as rw,
        options ->> 'bs' as bs,
        options ->> 'ioengine' as io_engine,
        try_cast(options ->> 'percentage_random' as double) / 100 as mixed_random_ratio,
        coalesce(try_cast(options ->> 'rwmixread' as double), 50.0) / 100 as mixed_read_ratio,
        cast(coalesce(options ->> 'iodepth', '1') as bigint) as io_depth,
        cast(coalesce(options ->> 'numjobs', '1') as bigint) as worker_count,
    from {{ source('raw', 'fio_jobs') }}
    where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
)

select
    -- ids
    file_id,
    job_index,

    -- categories
    job_name,
    regexp_replace(fio_version, '^fio-', '') as fio_version,
    io_engine,
    error = 0 as is_valid,
    case when error != 0 then 'fio ended the job with error ' || error end as validity_note,

    -- load profile: fio's documented defaults are rw=read, percentage_random=100, rwmixread=50
    case
        when rw in ('randread', 'randwrite', 'randrw') then coalesce(mixed_random_ratio, 1.0)
        when rw in ('read', 'write', 'rw', 'readwrite') then 0.0
    end as random_ratio,
    case
        when rw in ('read', 'randread') then 1.0
        when rw in ('write', 'randwrite') then 0.0
        when rw in ('rw', 'readwrite', 'randrw') then mixed_read_ratio
    end as read_ratio,
    {{ fio_size_bytes('bs') }} as block_bytes,
    io_depth * worker_count as outstanding_io_count,
    worker_count,

    -- timestamps (UTC): fio prints when it ends
    make_timestamp(printed_at_ms * 1000) as measured_at,
from jobs
