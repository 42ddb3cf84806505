-- One row per place of a log: what it is of, its name says, and two logs may have the same content.
select
    -- ids
    sources.source_key,
    sources.file_id,

    -- categories
    sources.path,
    regexp_extract(sources.path, '^(.*/)?[^/]*$', 1) as folder,
    regexp_extract(sources.path, '([^/]*)_(bw|iops|lat|clat|slat)(\.\d+)?\.log$', 1) as stem,
    nullif(regexp_extract(sources.path, '_(lat|clat|slat)(\.\d+)?\.log$', 1), '') as latency_kind,
    case regexp_extract(sources.path, '_(bw|iops|lat|clat|slat)(\.\d+)?\.log$', 1)
        when 'bw' then 'bandwidth'
        when 'iops' then 'iops'
        else 'latency'
    end as quantity,
    try_cast(regexp_extract(sources.path, '\.(\d+)\.log$', 1) as bigint) as job_number,
from {{ source('raw', 'sources') }} as sources
inner join {{ source('raw', 'files') }} as files using (file_id)
where sources.is_current and files.parser = 'fio_log'
