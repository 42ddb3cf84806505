-- A result may lack options: fio prints none before 2.3, hides numjobs up to 3.3, and loses some in
-- client/server mode. A job file belongs to the run if it agrees with all options of the result and
-- with the directions and size of its I/Os. Other results have all options of their run, except
-- those without a value (time_based): a job file with more of them was edited later. Results with
-- kb_base are skipped: its position decides what sizes mean.
with job_files as (
    select *
    from {{ ref('stg_fio__job_files') }}
),

results as (
    select
        file_id,
        job_index,
        bool_or(direction = 'read') as has_reads,
        bool_or(direction = 'write') as has_writes,
        if(min(io_size_bytes) = max(io_size_bytes), min(io_size_bytes), null) as io_size_bytes,
    from {{ ref('stg_fio__directions') }}
    where
        file_id in (select job_files.file_id from job_files)
        and direction in ('read', 'write')
    group by all
),

jobs as (
    select
        file_id,
        job_index,
        job_name,
        options,
        options is null or hostname is not null or {{ is_fio_numjobs_hidden() }} as is_incomplete,
    from {{ source('raw', 'fio_jobs') }}
)

select
    jobs.file_id,
    jobs.job_index,
    json_merge_patch(job_files.entry_options, coalesce(jobs.options, '{}')) as options,
    list_filter(
        json_keys(job_files.entry_options), lambda name: (jobs.options ->> name) is null
    ) as missing_names,
    'options from ' || job_files.job_file || ': '
    || nullif(array_to_string(missing_names, ', '), '') as restored_settings,
    job_files.group_worker_count,
from jobs
inner join job_files using (file_id, job_name)
inner join results using (file_id, job_index)
where
    (
        jobs.is_incomplete
        or len(list_filter(
            missing_names, lambda name: (job_files.entry_options ->> name) != ''
        )) = 0
    )
    and (jobs.options ->> 'kb_base') is null
    and len(list_filter(
        json_keys(job_files.entry_options),
        lambda name: coalesce(nullif(jobs.options ->> name, ''), '1')
        != coalesce(nullif(job_files.entry_options ->> name, ''), '1')
        and (jobs.options ->> name) is not null
    )) = 0
    and (job_files.read_ratio > 0 or job_files.is_verified or not results.has_reads)
    and (job_files.read_ratio < 1 or not results.has_writes)
    and coalesce(job_files.block_bytes = results.io_size_bytes, true)
