-- fio's documented defaults where a file has options and not this one (HOWTO): rw=read, bs=4k,
-- rwmixread=50, percentage_random=100, ioengine=psync, iodepth=1, numjobs=1; `defaulted_settings`
-- names those that count here. From 2.3 to 3.3 fio prints no numjobs of [global] (stat.c
-- json_add_job_opts): where there are global options, a missing one is not known.
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

    -- what was asked for
    options,
    options is not null as has_options,
    coalesce(options ->> 'rate_iops', options ->> 'rate') as rate_limit,
    (options ->> 'latency_target') is not null as has_latency_target,
    options ->> 'random_distribution' as random_distribution,
    (options ->> 'verify') is not null as is_verified,
    {{ fio_kb_base(['bssplit', 'bsrange', 'bs']) }} as kb_base,
    {{ fio_size_bytes("options ->> 'size'", fio_kb_base(['size'])) }} as file_size_bytes,
    {{ fio_time_seconds("options ->> 'runtime'") }} as requested_runtime_seconds,
    -- without time_based a job also ends when its size is done
    (options ->> 'exitall') is null and (
        coalesce(options ->> 'time_based', '0') != '0'
        or file_id in (
            select notes.file_id from {{ source('raw', 'fio_notes') }} as notes
            where notes.text like '%terminating on signal%'
        )
    ) as is_full_runtime_expected,

    -- load profile
    coalesce(options ->> 'bssplit', options ->> 'bsrange', options ->> 'bs') as block_option,
    (options ->> 'bsrange') is not null as is_block_range,
    string_split(options ->> 'bs', ',') as block_sizes,
    string_split(options ->> 'bssplit', ',') as block_splits,
    if(has_options, coalesce(string_split(options ->> 'rw', ':')[1], 'read'), null) as rw,
    case
        when rw in ('read', 'randread') then 1.0
        when rw in ('write', 'randwrite') then 0.0
        when coalesce(rw, '') not in ('rw', 'readwrite', 'randrw') then null
        when (options ->> 'rwmixread') is null and (options ->> 'rwmixwrite') is not null
            then 1 - {{ fio_ratio("options ->> 'rwmixwrite'") }}
        else {{ fio_ratio("coalesce(options ->> 'rwmixread', '50')") }}
    end as read_ratio,
    list_transform(
        string_split(coalesce(options ->> 'percentage_random', '100'), ','),
        lambda percent: {{ fio_ratio('percent') }}
    ) as random_ratios,
    case
        when rw in ('read', 'write', 'rw', 'readwrite', 'trim', 'trimwrite') then 0.0
        when rw like 'rand%'
            then round(
                coalesce(read_ratio, 0) * random_ratios[1]
                + (1 - coalesce(read_ratio, 0)) * random_ratios[least(2, len(random_ratios))], 6
            )
    end as random_ratio,

    -- load; a synchronous engine has one I/O outstanding, whatever iodepth says
    if(has_options, coalesce(options ->> 'ioengine', 'psync'), null) as io_engine,
    io_engine in (
        'sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap', 'splice', 'falloc', 'ftruncate',
        'e4defrag', 'filecreate', 'filestat', 'filedelete', 'libpmem', 'dev-dax', 'mtd'
    ) as is_synchronous,
    {{ fio_count("coalesce(options ->> 'iodepth', '1')", fio_kb_base(['iodepth'])) }} as io_depth,
    has_global_options and (options ->> 'numjobs') is null and coalesce(
        try_cast(regexp_extract(fio_version, '(\d+)\.(\d+)', 1) as double) * 1000
        + try_cast(regexp_extract(fio_version, '(\d+)\.(\d+)', 2) as double) < 3004, false
    ) as is_numjobs_hidden,
    if(
        is_numjobs_hidden, null,
        {{ fio_count("coalesce(options ->> 'numjobs', '1')", fio_kb_base(['numjobs'])) }}
    ) as process_count,
    (options ->> 'thinktime') is not null as has_think_time,
    if(
        has_options,
        coalesce(options ->> 'direct', '0') != '0' or coalesce(options ->> 'buffered', '1') = '0',
        null
    ) as is_direct,
    if(has_options, coalesce({{ fio_time_seconds("options ->> 'ramp_time'") }}, 0), null)
        as ramp_seconds,
    case
        when regexp_matches(options ->> 'cpus_allowed', '^\d+(,\d+)*$')
            then len(string_split(options ->> 'cpus_allowed', ','))
    end as allowed_cpu_count,
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
    -- none in a last print; the greatest 32-bit number is not known
    if(eta_seconds > 0 and eta_seconds < 2147483647, eta_seconds, null) as eta_seconds,
    steady_state_attained = 1 as is_steady_state_attained,
    steady_state_duration_s as steady_state_seconds,
    steady_state_iops,
    make_timestamp(printed_at_ms * 1000) as measured_at,  -- UTC: fio prints when it ends
from {{ source('raw', 'fio_jobs') }}
