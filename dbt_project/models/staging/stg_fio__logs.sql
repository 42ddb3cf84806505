select
    -- ids
    logs.file_id,

    -- categories
    files.path,
    regexp_extract(files.path, '^(.*/)?[^/]*$', 1) as folder,
    logs.stem,
    case when logs.quantity in ('lat', 'clat', 'slat') then logs.quantity end as latency_kind,
    case logs.quantity when 'bw' then 'bandwidth' when 'iops' then 'iops' else 'latency' end
        as quantity,
    logs.job_number,
from {{ source('raw', 'fio_logs') }} as logs
inner join {{ ref('stg_files') }} as files using (file_id)
