-- What a log is of its name says, and two logs may have the same content: a row per place.
with logs as (
    select
        sources.*,
        regexp_extract(
            sources.path, '([^/]*)_(bw|iops|lat|clat|slat)(?:\.(\d+))?\.log$',
            ['stem', 'kind', 'number']
        ) as parts,
    from {{ source('raw', 'sources') }} as sources
    inner join {{ source('raw', 'files') }} as files using (file_id)
    where sources.is_current and files.parser = 'fio_log'
)

select
    -- ids
    source_key,
    file_id,

    -- categories
    path,
    {{ folder('path') }} as folder,
    parts.stem,
    if(parts.kind like '%lat', parts.kind, null) as latency_kind,
    case parts.kind when 'bw' then 'bandwidth' when 'iops' then 'iops' else 'latency' end
        as quantity,
    try_cast(parts.number as bigint) as job_number,
from logs
