-- Which job wrote a log: one in the same folder, or the nearest above, whose write_*_log option has
-- the log's name; without a value fio takes the job's name. A log is numbered by process, as the
-- entries of its run are. Where several jobs could be meant, none is.
with jobs as (
    select
        jobs.*,
        regexp_extract(files.path, '^(.*/)?[^/]*$', 1) as folder,
        count(*) over (partition by jobs.file_id, jobs.document_line) as entry_count,
        sum(coalesce(jobs.worker_count, 1)) over (
            partition by jobs.file_id, jobs.document_line
            order by jobs.document_job_index
        ) as last_process_number,
        map {
            'bandwidth': coalesce(nullif(jobs.bw_log, ''), jobs.job_name),
            'iops': coalesce(nullif(jobs.iops_log, ''), jobs.job_name),
            'latency': coalesce(nullif(jobs.latency_log, ''), jobs.job_name)
        } as log_names,
    from {{ ref('stg_fio__jobs') }} as jobs
    inner join {{ ref('stg_files') }} as files using (file_id)
    where not jobs.is_part_of_another
),

nearest as (
    select
        logs.source_key,
        jobs.file_id as run_file_id,
        jobs.job_index,
        try_cast(regexp_extract(jobs.fio_version, '^\d+\.\d+') as decimal(9, 3)) >= 2.99
            as is_in_ns,
    from {{ ref('stg_fio__logs') }} as logs
    inner join jobs
        on
            starts_with(logs.folder, jobs.folder)
            and logs.stem = regexp_extract(jobs.log_names[logs.quantity], '[^/]*$')
            and (
                logs.job_number is null
                or jobs.entry_count = 1
                or logs.job_number > jobs.last_process_number - coalesce(jobs.worker_count, 1)
                and logs.job_number <= jobs.last_process_number
            )
    qualify
        length(jobs.folder) = max(length(jobs.folder)) over (partition by logs.source_key)
)

select * from nearest
qualify count(*) over (partition by source_key) = 1
