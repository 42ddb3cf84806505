-- Each job of a fio file is of one measurement, alone or with the processes that ran with it.
with positions as (
    select
        measurement_id,
        source_path as path,
        regexp_extract(
            source_position, '^(?:line (\d+) )?jobs\[(\d+)(?:\.\.(\d+))?\] (.*)$',
            ['line', 'first', 'last', 'name']
        ) as parts,
    from marts.measurements
    where source_format = 'fio'
),

entries as (
    select
        measurement_id,
        path,
        coalesce(try_cast(parts.line as bigint), 1) as line,
        cast(parts.first as bigint) as first_index,
        coalesce(try_cast(parts.last as bigint), first_index) as last_index,
        parts.name,
    from positions
)

select
    sources.path,
    'job ' || jobs.job_index as place,
    case
        when jobs.is_total then 'total of the hosts'
        when jobs.is_snapshot then 'printed before the last'
        else 'measurement'
    end as fate,
    if(fate = 'measurement', 1, 0) as wanted,
    coalesce(list(measurement_id) filter (measurement_id is not null), []) as found,
from raw.fio_jobs as jobs
inner join raw.sources using (file_id)
left join entries
    on
        sources.path = entries.path
        and greatest(jobs.document_line, 1) = entries.line
        and jobs.document_job_index between entries.first_index and entries.last_index
        and starts_with(entries.name, jobs.job_name)
where sources.is_current
group by all
