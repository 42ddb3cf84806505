with jobs as (
    select
        *,
        {{ folder('path') }} as folder,
        count(*) over (partition by file_id, document_line) as job_count,
        coalesce(worker_count, 1) as writer_count,
        sum(writer_count) over (
            partition by file_id, document_line
            order by document_job_index
        ) as last_number,
        map {
            'bandwidth': coalesce(nullif(bw_log, ''), job_name),
            'iops': coalesce(nullif(iops_log, ''), job_name),
            'latency': coalesce(nullif(latency_log, ''), job_name)
        } as log_names,
    from {{ ref('int_fio__jobs') }}
    where not is_part_of_another
),

-- Which job wrote a log: one in the same folder, or the nearest above, whose write_*_log option has
-- the log's name; without a value fio takes the job's name. A log is numbered by process, as the
-- entries of its run are. Where several jobs could be meant, none is.
runs as (
    select
        logs.source_key,
        jobs.measurement_id,
        try_cast(regexp_extract(jobs.fio_version, '^\d+\.\d+') as decimal(9, 3)) as version,
        case when version >= 2.99 then 'ns' when version < 2.99 then 'us' end as latency_unit,
    from {{ ref('stg_fio__logs') }} as logs
    inner join jobs
        on
            starts_with(logs.folder, jobs.folder)
            and logs.stem = regexp_extract(jobs.log_names[logs.quantity], '[^/]*$')
            and (
                logs.job_number is null
                or jobs.job_count = 1
                or jobs.last_number - logs.job_number between 0 and jobs.writer_count - 1
            )
    qualify
        length(jobs.folder) = max(length(jobs.folder)) over (partition by logs.source_key)
        and count(*) over (partition by logs.source_key, jobs.folder) = 1
)

-- Converted here, since only the run beside a log says in which unit its latencies are. Without
-- log_avg_msec each I/O is a line, with its size, and of IOPS there is nothing to say.
select
    runs.measurement_id,
    logs.path as source_path,
    logs.quantity,
    logs.latency_kind,
    logs.job_number,
    samples.* exclude (file_id),
    if(logs.quantity = 'iops' and samples.block_bytes is null, samples.logged_value, null) as iops,
    case
        when logs.quantity = 'bandwidth'
            then {{ to_base_unit('samples.logged_value', "'KiB/s'", 2) }}
    end as bytes_per_second,
    case
        when logs.quantity = 'latency'
            then {{ to_us('samples.logged_value', 'runs.latency_unit') }}
    end as latency_us,
from {{ ref('stg_fio__log_samples') }} as samples
inner join {{ ref('stg_fio__logs') }} as logs using (file_id)
left join runs using (source_key)
