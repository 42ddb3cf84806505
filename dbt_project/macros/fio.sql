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
    {{ fio_size_bytes("options ->> 'size'", fio_kb_base(['size'])) }} as file_size_bytes,
    {{ fio_time_seconds("options ->> 'runtime'") }} as requested_runtime_seconds,

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

    -- load
    if(has_options, coalesce(options ->> 'ioengine', 'psync'), null) as io_engine,
    io_engine in (
        'sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap', 'splice', 'falloc', 'ftruncate',
        'e4defrag', 'filecreate', 'filestat', 'filedelete', 'libpmem', 'dev-dax', 'mtd'
    ) as is_synchronous,
    {{ fio_count("coalesce(options ->> 'iodepth', '1')", fio_kb_base(['iodepth'])) }} as io_depth,
    (options ->> 'thinktime') is not null as has_think_time,
    coalesce(options ->> 'wait_for', options ->> 'startdelay') is not null as is_delayed,
    -- options that change the cost of an I/O, without those that are off, and write options of reads
    nullif(array_to_string(list_filter(
        list_transform(
            [
                'fsync', 'fdatasync', 'sync', 'zero_buffers', 'buffer_compress_percentage',
                'dedupe_percentage', 'thinktime', 'io_submit_mode', 'hipri', 'cmdprio_percentage',
                'iodepth_batch_complete_min'
            ],
            lambda name: name || '=' || (options ->> name)
        ),
        lambda setting: setting is not null
        and split_part(setting, '=', 2) not in ('0', 'none', 'inline')
        and setting != 'iodepth_batch_complete_min=1'
        and not (
            rw in ('read', 'randread')
            and regexp_matches(setting, '^(f?(data)?sync|zero_buffers|buffer_compress|dedupe)')
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
