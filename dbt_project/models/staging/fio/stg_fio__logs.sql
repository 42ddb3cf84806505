-- The file name gives the quantity of a log. Logs may have the same content: one row per place.
with logs as (
    select
        *,
        regexp_extract(
            path,
            '([^/]*)_(bw|iops|lat|clat|slat|clat_hist)(?:\.(\d+))?\.log$',
            ['stem', 'kind', 'number']
        ) as parts,
    from {{ source('raw', 'sources') }}
    inner join {{ source('raw', 'files') }} using (file_id)
    where is_current and parser = 'fio_log'
)

select
    source_key,
    file_id,
    path,
    {{ folder('path') }} as folder,
    parts.stem,
    try_cast(parts.number as bigint) as job_number,
    nullif(regexp_extract(parts.kind, '^[cs]?lat'), '') as latency_kind,
    case parts.kind
        when 'bw' then 'bandwidth' when 'iops' then 'iops' when 'clat_hist' then 'histogram'
        else 'latency'
    end as quantity,
    'write_' || regexp_extract(parts.kind, '(bw|iops|lat|hist)$') || '_log' as option,
from logs
