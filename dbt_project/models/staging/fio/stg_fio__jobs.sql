-- `defaulted_settings` lists the documented defaults in effect. A numjobs that fio hides is
-- unknown.
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

reported as (
    select
        *,
        options is null or hostname is not null or {{ is_fio_numjobs_hidden() }} as is_incomplete,
    from {{ source('raw', 'fio_jobs') }}
),

-- A result may lack options: fio prints none before 2.3, hides numjobs up to 3.3, and loses some in
-- client/server mode. A job file beside it has them if it agrees with all options of the result and
-- with the directions and size of its I/Os. Other results have all options of their run, except
-- those without a value (time_based): a job file with more of them was edited later. Results with
-- kb_base are skipped: its position decides what sizes mean.
restored as (
    select
        reported.file_id,
        reported.job_index,
        json_merge_patch(job_files.entry_options, coalesce(reported.options, '{}')) as options,
        list_filter(
            json_keys(job_files.entry_options), lambda name: (reported.options ->> name) is null
        ) as missing_names,
        'options from ' || job_files.job_file || ': '
        || nullif(array_to_string(missing_names, ', '), '') as restored_settings,
        job_files.group_worker_count,
    from reported
    inner join job_files using (file_id, job_name)
    inner join results using (file_id, job_index)
    where
        (
            reported.is_incomplete
            or len(list_filter(
                missing_names, lambda name: (job_files.entry_options ->> name) != ''
            )) = 0
        )
        and (reported.options ->> 'kb_base') is null
        and len(list_filter(
            json_keys(job_files.entry_options),
            lambda name: coalesce(nullif(reported.options ->> name, ''), '1')
            != coalesce(nullif(job_files.entry_options ->> name, ''), '1')
            and (reported.options ->> name) is not null
        )) = 0
        and (job_files.read_ratio > 0 or job_files.is_verified or not results.has_reads)
        and (job_files.read_ratio < 1 or not results.has_writes)
        and coalesce(job_files.block_bytes = results.io_size_bytes, true)
),

jobs as (
    select
        reported.* exclude (options),
        coalesce(restored.options, reported.options) as options,
        restored.restored_settings,
        restored.group_worker_count,
    from reported
    left join restored using (file_id, job_index)
)

select
    file_id,
    job_index,
    document_line,
    document_job_index,
    group_id,
    hostname,
    job_name,
    sibling_count,
    regexp_replace(fio_version, '^fio-', '') as fio_version,
    is_snapshot or is_total as is_summary,
    file_id in (
        select notes.file_id from {{ source('raw', 'fio_notes') }} as notes
        where notes.text like 'torn document%'
    ) as is_in_torn_file,

    -- settings
    options,
    {{ fio_settings() }},
    -- without time_based a job also ends when its size is done
    (options ->> 'exitall') is null and (
        coalesce(options ->> 'time_based', '0') != '0'
        or file_id in (
            select notes.file_id from {{ source('raw', 'fio_notes') }} as notes
            where notes.text like '%terminating on signal%'
        )
    ) as is_full_runtime_expected,

    {{ is_fio_numjobs_hidden() }} as is_numjobs_hidden,
    if(is_numjobs_hidden, null, {{ fio_process_count() }}) as process_count,
    restored_settings,
    group_worker_count,
    {{ fio_io_depth_reached_ratio('io_depth_level_percent', 'io_depth') }}
        as io_depth_reached_ratio,
    nullif(array_to_string(list_filter(
        ['rw=read', 'bs=4k', 'ioengine=psync', 'iodepth=1', 'numjobs=1'],
        lambda setting: has_options and (options ->> split_part(setting, '=', 1)) is null
        and (block_option is null or setting != 'bs=4k')
        and not (is_numjobs_hidden and setting = 'numjobs=1')
    ), ', '), '') as defaulted_settings,

    -- results
    job_runtime_ms / 1e3 as summed_runtime_seconds,
    nullif(error, 0) as error,
    total_error_count,
    (usr_cpu_percent + sys_cpu_percent) / 100 as cpu_ratio,
    -- null in a last print; the greatest 32-bit number means unknown
    if(eta_seconds > 0 and eta_seconds < 2147483647, eta_seconds, null) as eta_seconds,
    steady_state_attained = 1 as is_steady_state_attained,
    steady_state_duration_s as steady_state_seconds,
    steady_state_iops,
    make_timestamp(printed_at_ms * 1000) as measured_at,  -- UTC: fio prints when it ends
from jobs
