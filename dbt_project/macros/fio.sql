{#- The settings of a fio job in base units, from its `options`. If it has any, missing ones have
    fio's documented defaults (HOWTO): rw=read, rwmixread=50, percentage_random=100, ioengine=psync,
    iodepth=1. A synchronous engine has one outstanding I/O, whatever iodepth is. -#}
{% macro fio_settings() -%}
    options is not null as has_options,
    coalesce(options ->> 'rate_iops', options ->> 'rate') as rate_limit,
    (options ->> 'latency_target') is not null as has_latency_target,
    options ->> 'random_distribution' as random_distribution,
    (options ->> 'verify') is not null as is_verified,
    {{ fio_kb_base(['bssplit', 'bsrange', 'bs']) }} as kb_base,
    if(
        (options ->> 'filesize') is null,
        {{ fio_size_bytes("options ->> 'size'", fio_kb_base(['size'])) }},
        {{ fio_size_bytes("options ->> 'filesize'", fio_kb_base(['filesize'])) }}
    ) as file_size_bytes,
    {{ fio_time_seconds("options ->> 'runtime'") }} as requested_runtime_seconds,

    -- load profile
    coalesce(options ->> 'bssplit', options ->> 'bsrange', options ->> 'bs') as block_option,
    string_split(options ->> 'bssplit', ',') as block_splits,
    if(has_options, coalesce(string_split(options ->> 'rw', ':')[1], 'read'), null) as rw,
    -- randread:8 has a new random offset for every eighth I/O; read:64k leaves holes
    nullif(string_split(options ->> 'rw', ':')[2], '1') as rw_modifier,
    case
        when rw in ('read', 'randread') then 1.0
        when rw in ('write', 'randwrite') then 0.0
        when coalesce(rw, '') not in ('rw', 'readwrite', 'randrw') then null
        -- the later one counts, or the rates do
        when (options ->> 'rwmixread') is not null and (options ->> 'rwmixwrite') is not null
            then null
        when contains(rate_limit, ',') then null
        when (options ->> 'rwmixwrite') is not null
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
            ) / greatest(1, coalesce(try_cast(rw_modifier as bigint), 1))
    end as random_ratio,
    coalesce(options ->> 'bs_is_seq_rand', '0') != '0' as is_block_by_access,
    (options ->> 'bsrange') is not null
    or is_block_by_access and coalesce(random_ratio not in (0, 1), true) as is_block_range,
    string_split(options ->> 'bs', ',') as all_block_sizes,
    if(
        is_block_by_access,
        [all_block_sizes[if(random_ratio = 0, 1, least(2, len(all_block_sizes)))]],
        all_block_sizes
    ) as block_sizes,

    -- load
    if(has_options, coalesce(options ->> 'ioengine', 'psync'), null) as io_engine,
    io_engine in (
        'sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap', 'splice', 'falloc', 'ftruncate',
        'e4defrag', 'filecreate', 'filestat', 'filedelete', 'libpmem', 'dev-dax', 'mtd',
        'gfapi', 'http', 'ime_psync', 'ime_psyncv', 'libcufile', 'libhdfs', 'libzbc', 'net'
    ) as is_synchronous,
    {{ fio_count("coalesce(options ->> 'iodepth', '1')", fio_kb_base(['iodepth'])) }} as io_depth,
    coalesce(options ->> 'thinktime', '0') != '0' as has_think_time,
    -- a job completes these I/Os before it thinks
    if(
        has_think_time,
        {{ fio_count(
            "coalesce(options ->> 'thinktime_blocks', '1')", fio_kb_base(['thinktime_blocks'])
        ) }}, null
    ) as think_io_count,
    coalesce(options ->> 'wait_for', options ->> 'startdelay') is not null as is_delayed,
    -- options that change what an I/O costs, but those that are off, and write options of reads
    nullif(array_to_string(list_filter(
        list_transform(
            [
                'fsync', 'fdatasync', 'sync', 'end_fsync', 'fsync_on_close', 'sync_file_range',
                'zero_buffers', 'buffer_pattern', 'buffer_compress_percentage',
                'dedupe_percentage', 'thinktime', 'thinktime_blocks', 'io_submit_mode', 'hipri',
                'sqthread_poll', 'cmdprio_percentage', 'iodepth_batch', 'iodepth_batch_submit',
                'iodepth_batch_complete_min', 'iodepth_low', 'pre_read', 'zonemode', 'zonesize',
                'zonerange', 'zoneskip', 'verify_backlog', 'latency_target', 'read_iolog'
            ],
            lambda name: name || '=' || (options ->> name)
        ) || ['rw=' || if(rw_modifier is null, null, options ->> 'rw')],
        lambda setting: setting is not null
        and split_part(setting, '=', 2) not in ('0', 'none', 'inline')
        and setting not in (
            'iodepth_batch=1', 'iodepth_batch_submit=1', 'iodepth_batch_complete_min=1'
        )
        and not (
            rw in ('read', 'randread')
            and regexp_matches(setting, '^((end_)?f?(data)?sync|zero_buffers|buffer_|dedupe)')
        )
    ), ', '), '') as special_options,
    io_engine in (
        'sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'libaio', 'posixaio', 'io_uring',
        'windowsaio'
    ) as is_file_engine,
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
    end as allowed_cpu_count
{%- endmacro %}

{#- The number of processes that a job asks for. -#}
{% macro fio_process_count() -%}
    {{ fio_count("coalesce(options ->> 'numjobs', '1')", fio_kb_base(['numjobs'])) }}
{%- endmacro %}

{#- Whether fio hides a job's numjobs: 2.3 to 3.3 do not print it if it is set in [global] (stat.c
    json_add_job_opts). -#}
{% macro is_fio_numjobs_hidden() -%}
    has_global_options and (options ->> 'numjobs') is null and coalesce(
        try_cast(regexp_extract(fio_version, '(\d+)\.(\d+)', 1) as double) * 1000
        + try_cast(regexp_extract(fio_version, '(\d+)\.(\d+)', 2) as double) < 3004, false
    )
{%- endmacro %}
