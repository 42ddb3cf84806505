-- The file name gives the quantity of a log. Logs may have the same content: one row per place.
with files as (
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
),

logs as (
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
    from files
),

jobs as (
    select
        *,
        {{ folder('path') }} as folder,
        count(*) over (partition by source_id, document_line) as job_count,
        coalesce(worker_count, 1) as writer_count,
        sum(writer_count) over (
            partition by source_id, document_line
            order by document_job_index
        ) as last_number,
    from {{ ref('int_fio__jobs') }}
    where not is_part_of_another
),

-- The job that wrote a log: in the same folder, or the nearest above, with the log's name in its
-- write_*_log option, or as its own name if the option has no value. Logs are numbered by process,
-- like the entries of their run. If several jobs match, the log has none; a job that is described
-- twice is one.
runs as (
    select
        logs.source_key,
        jobs.measurement_id,
        try_cast(regexp_extract(jobs.fio_version, '^\d+\.\d+') as decimal(9, 3)) >= 2.99
            as is_in_ns,
    from logs
    inner join jobs
        on
            starts_with(logs.folder, jobs.folder)
            and logs.stem = regexp_extract(
                coalesce(nullif(jobs.options ->> logs.option, ''), jobs.job_name), '[^/]*$'
            )
            and (
                logs.job_number is null
                or jobs.job_count = 1
                or logs.job_number > jobs.last_number - jobs.writer_count
                and logs.job_number <= jobs.last_number
            )
    qualify
        length(jobs.folder) = max(length(jobs.folder)) over (partition by logs.source_key)
        and count(distinct row(jobs.file_id, jobs.job_index))
            over (partition by logs.source_key, jobs.folder)
        = 1
)

select
    logs.*,
    runs.* exclude (source_key),
from logs
left join runs using (source_key)
