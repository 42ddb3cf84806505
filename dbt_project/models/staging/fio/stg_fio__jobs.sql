-- `defaulted_settings` lists the documented defaults in effect. A numjobs that fio hides is
-- unknown. A job file beside the result restores options that the result lacks.
with jobs as (
    select
        reported.* exclude (options),
        coalesce(restored.options, reported.options) as options,
        restored.restored_settings,
        restored.group_worker_count,
    from {{ source('raw', 'fio_jobs') }} as reported
    left join {{ ref('stg_fio__restored_options') }} as restored using (file_id, job_index)
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
