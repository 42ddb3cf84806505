-- A job name counts if all jobs of that name beside the result have the same options. With
-- group_reporting the jobs of a group are one entry of a result, with the name of the first and the
-- options of the last (fio issue 2132). The jobs of a group with different loads are left out: they
-- do not tell the load of their entry.
with places as (
    select distinct
        sources.file_id,
        sidecars.job_files,
    from {{ source('raw', 'sources') }} as sources
    inner join {{ source('raw', 'sidecars') }} as sidecars using (source_key)
    where sources.is_current and sidecars.job_files is not null
),

lists as (
    select
        file_id,
        from_json(
            job_files,
            '[{"file": "VARCHAR", "job": "VARCHAR", "group": "BIGINT", "options": "VARCHAR"}]'
        ) as jobs,
    from places
),

jobs as (
    select
        file_id,
        unnest(jobs) as job,
        generate_subscripts(jobs, 1) as position,
    from lists
),

settings as (
    select
        file_id,
        job['job'] as job_name,
        job['file'] as job_file,
        job['group'] as group_id,
        job['options'] as options,
        position,
        {{ fio_settings() }},
        case
            when block_option is null then 4096
            when not is_block_range and block_splits is null and len(block_sizes) = 1
                then {{ fio_size_bytes('block_sizes[1]', 'kb_base') }}
        end as block_bytes,
        {{ fio_process_count() }} as process_count,
        if(is_synchronous, 1, io_depth) as process_outstanding_io_count,
        cast(
            row(
                rw, read_ratio, random_ratio, block_option, io_engine, io_depth, is_direct,
                file_size_bytes, requested_runtime_seconds, ramp_seconds, rate_limit
            ) as varchar
        ) as load,
        coalesce(options ->> 'group_reporting', '0') != '0' as is_grouped,
    from jobs
)

select
    * exclude (load, position),
    min(load) over job_group = max(load) over job_group
    and bool_and(is_grouped) over job_group
    and count(process_count) over job_group = count(*) over job_group as is_uniform_group,
    if(is_uniform_group, cast(sum(process_count) over job_group as bigint), null)
        as group_worker_count,
    coalesce(group_worker_count, 1) as entry_worker_count,  -- 1: an entry for each process
    if(
        group_worker_count is null, options,
        last_value(options) over (
            partition by file_id, job_file, group_id
            order by position
            rows between unbounded preceding and unbounded following
        )
    ) as entry_options,
from settings
window
    job_group as (partition by file_id, job_file, group_id),
    same_name as (partition by file_id, job_name)
qualify
    min(options) over same_name = max(options) over same_name
    and row_number() over (partition by file_id, job_name order by position) = 1
    and (is_uniform_group or not is_grouped)
