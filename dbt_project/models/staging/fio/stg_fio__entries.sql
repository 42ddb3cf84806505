-- Without group_reporting each of numjobs processes is an entry of its own, of the same name, group
-- and options as its siblings, which are as many as numjobs. They ran at once and are one
-- measurement, which goes by the first of them.
with io_counts as (
    select
        file_id,
        job_index,
        sum(io_count) as io_count,
    from {{ ref('stg_fio__directions') }}
    where direction != 'sync'
    group by file_id, job_index
),

jobs as (
    select
        *,
        options ->> 'numjobs' as numjobs_option,
        coalesce(options ->> 'kb_base', '1024') as kb_base,
    from {{ source('raw', 'fio_jobs') }}
    where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
),

counted as (
    select
        *,
        if(numjobs_option is null, 1, {{ fio_size_bytes('numjobs_option', 'kb_base') }})
            as process_count,
        process_count > 1 and count(*) over (
            partition by file_id, document_line, hostname, group_id, job_name, options
        ) = process_count as is_process,
    from jobs
),

entries as (
    select
        *,
        case
            when is_process
                then min(job_index) over (
                    partition by
                        file_id, document_line, hostname, group_id, job_name, options
                )
            else job_index
        end as first_job_index,
    from counted
)

select
    -- ids
    file_id,
    job_index,
    first_job_index,

    -- measures
    process_count,
    count(*) over measurement as entry_count,
    coalesce(
        coalesce(io_counts.io_count, 0) / nullif(sum(io_counts.io_count) over measurement, 0),
        1 / count(*) over measurement
    ) as io_share_ratio,
from entries
left join io_counts using (file_id, job_index)
window measurement as (partition by file_id, first_job_index)
