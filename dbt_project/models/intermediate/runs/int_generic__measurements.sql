-- Results of tools whose parsers fill the common shape, already in base units. A tool may write
-- several files of one run into a folder: the one with the most detail counts, with the date and
-- the percentiles of the others; fio's JSON takes precedence over its text. A sidecar overrides the
-- file's load settings. fio's text lacks options that a job file beside it may have; the job file
-- belongs to the run if it agrees with all printed values. Anyone can write a parser, so a share
-- outside 0 to 1 or a block of 0 bytes counts as not reported.
{%- set restored = {
    'random_ratio': 'rw', 'read_ratio': 'rw', 'block_bytes': 'bs', 'io_engine': 'ioengine',
    'is_direct': 'direct', 'file_size_bytes': 'size', 'requested_runtime_seconds': 'runtime',
    'ramp_seconds': 'ramp_time', 'rate_limit': 'rate',
} %}
with printed as (
    select
        * exclude (position, measured_at_ms) replace (
            {% for share in ['random_ratio', 'read_ratio'] -%}
                if({{ share }} between 0 and 1, round({{ share }}, 6), null) as {{ share }},
            {% endfor -%}
            if(block_bytes > 0, block_bytes, null) as block_bytes
        ),
        position as source_position,
        try(make_timestamp(measured_at_ms * 1000)) as measured_at,
    from {{ source('raw', 'generic_results') }}
),

completed as (
    select
        printed.* replace (
            {% for column in restored -%}
                coalesce(printed.{{ column }}, jobs.{{ column }}) as {{ column }},
            {% endfor -%}
            coalesce(printed.worker_count, jobs.entry_worker_count) as worker_count,
            coalesce(
                printed.outstanding_io_count,
                jobs.process_outstanding_io_count
                * coalesce(printed.worker_count, jobs.entry_worker_count)
            ) as outstanding_io_count,
            nullif(concat_ws(
                '; ',
                printed.note,
                'options from ' || jobs.job_file || ': ' || nullif(concat_ws(
                    ', ',
                    if(
                        printed.outstanding_io_count is null
                        and jobs.process_outstanding_io_count is not null, 'iodepth', null
                    ),
                    {% for column, option in restored.items() if column != 'read_ratio' -%}
                        if(
                            printed.{{ column }} is null
                            and jobs.{{ column }}
                            {{ '> 0' if column == 'ramp_seconds' else 'is not null' }},
                            '{{ option }}', null
                        ){% if not loop.last %},{% endif %}
                    {% endfor -%}
                ), '')
            ), '') as note
        ),
    from printed
    left join {{ ref('stg_fio__job_files') }} as jobs
        on
            printed.file_id = jobs.file_id
            and printed.job_name = jobs.job_name
            and coalesce(printed.io_engine = jobs.io_engine, true)
            and coalesce(printed.random_ratio = jobs.random_ratio, true)
            and coalesce(printed.block_bytes = jobs.block_bytes, true)
            and coalesce(
                printed.worker_count = coalesce(jobs.group_worker_count, jobs.process_count), true
            )
            and (printed.read_iops is null or jobs.read_ratio > 0 or jobs.is_verified)
            and (printed.write_iops is null or jobs.read_ratio < 1)
            -- fio truncates IOPS to whole numbers
            and coalesce(
                printed.bytes_per_second between 0.99 * jobs.block_bytes * printed.iops
                and 1.01 * jobs.block_bytes * (printed.iops + 1), true
            )
),

results as (
    select
        printed.* exclude (job_name, random_ratio, read_ratio, block_bytes),
        files.source_id,
        files.folder,
        files.parser,
        {% for column in ['random_ratio', 'read_ratio', 'block_bytes'] -%}
            coalesce(files.{{ column }}, printed.{{ column }}) as {{ column }},
        {% endfor -%}
        coalesce(printed.run_key, files.source_id || printed.result_index) as run_or_result,
        {{ too_few_ios('printed.io_count', 'printed.runtime_seconds') }} as evidence_note,
        min(
            if(percentile_ratios is null, null, struct_pack(
                ratios := percentile_ratios, latencies_us := percentile_latencies_us
            ))
        ) over (partition by files.folder, tool_name, run_or_result) as percentiles_of_run,
    from completed as printed
    inner join {{ ref('stg_files') }} as files using (file_id)
),

json_rates as (
    select
        measurement_id,
        sum(iops) as iops,
    from {{ ref('int_fio__directions') }}
    where is_of_load
    group by measurement_id
),

-- fio prints runtimes in milliseconds, and in its text the host's local time.
in_json as (
    select
        results.file_id,
        results.result_index,
    from results
    inner join {{ ref('stg_files') }} as files on results.folder = files.folder
    inner join {{ ref('int_fio__jobs') }} as jobs on files.source_id = jobs.source_id
    inner join json_rates using (measurement_id)
    where
        results.parser = 'fio_text'
        and not jobs.is_part_of_another
        and round(1000 * (results.runtime_seconds - jobs.runtime_seconds)) = 0
        and abs(results.iops / json_rates.iops - 1) < 0.005
        -- time zones differ by quarters of an hour
        and coalesce(
            mod(
                mod(epoch(results.measured_at) - epoch(jobs.measured_at), 900) + 902, 900
            ) <= 4, true
        )
),

runs as (
    select
        * replace (
            coalesce(measured_at, max(measured_at) over run_files) as measured_at,
            coalesce(percentile_ratios, percentiles_of_run['ratios']) as percentile_ratios,
            coalesce(percentile_latencies_us, percentiles_of_run['latencies_us'])
                as percentile_latencies_us
        ),
    from results
    anti join in_json using (file_id, result_index)
    window run_files as (partition by folder, tool_name, run_or_result)
    qualify coalesce(precedence, 0) = min(coalesce(precedence, 0)) over run_files
)

select
    parser || '-' || source_id || '-' || result_index as measurement_id,
    parser as source_format,
    runs.* exclude (
        parser, folder, target, rate_limit, condition, run_key, run_or_result, precedence,
        percentiles_of_run
    ),
    target as device_names,
    if(is_rounded, 'approximate', null) as value_qualifier,
    rate_limit is not null as is_limited,
    nullif(concat_ws('; ', 'rate limited to ' || rate_limit, condition), '') as condition,
    if(
        block_bytes is null, null, [struct_pack(block_bytes := block_bytes, share_ratio := 1.0)]
    ) as block_mix,
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix') }} as profile_id,
    {{ plain_profile_name('random_ratio', 'read_ratio', 'block_mix') }} as profile_name,
    {% for name, ratio in [('p50', 0.5), ('p95', 0.95), ('p99', 0.99), ('p999', 0.999)] -%}
        percentile_latencies_us[list_position(percentile_ratios, {{ ratio }})]
            as latency_{{ name }}_us,
    {% endfor -%}
    fault is null and evidence_note is null
    and coalesce(coalesce(iops, bytes_per_second) > 0, false) as is_valid,
    nullif(concat_ws(
        '; ',
        fault,
        case
            when coalesce(iops, bytes_per_second) > 0 then evidence_note
            when fault is null
                then coalesce(if(iops = 0, 'did no I/O', null), 'no rate of the whole run')
        end,
        nullif(error_count, 0) || ' I/Os failed'
    ), '') as validity_note,
from runs
