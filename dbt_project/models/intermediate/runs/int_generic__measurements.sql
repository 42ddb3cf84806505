-- Results of tools whose parsers fill the common shape, already in base units. A tool may write
-- several files of one run into a folder: the one with the most detail counts, fio's JSON before
-- its text. A sidecar's load overrides the file's. Anybody may write a parser, so a share
-- outside of 0 to 1 or a block of no bytes counts as not reported.
with results as (
    select
        printed.* exclude (position, measured_at_ms, random_ratio, read_ratio, block_bytes),
        files.source_id,
        files.folder,
        files.parser,
        printed.position as source_position,
        try(make_timestamp(printed.measured_at_ms * 1000)) as measured_at,
        {% for share in ['random_ratio', 'read_ratio'] -%}
            coalesce(
                files.{{ share }},
                if(printed.{{ share }} between 0 and 1, round(printed.{{ share }}, 6), null)
            ) as {{ share }},
        {% endfor -%}
        coalesce(files.block_bytes, if(printed.block_bytes > 0, printed.block_bytes, null))
            as block_bytes,
        coalesce(printed.run_key, files.source_id || printed.result_index) as run_or_result,
        {{ too_few_ios('printed.io_count', 'printed.runtime_seconds') }} as evidence_note,
    from {{ source('raw', 'generic_results') }} as printed
    inner join {{ ref('stg_files') }} as files using (file_id)
),

-- fio prints runtimes in milliseconds, and in its text the host's local time.
in_json as (
    select
        results.file_id,
        results.result_index,
    from results
    inner join {{ ref('stg_files') }} as files on results.folder = files.folder
    inner join {{ ref('int_fio__measurements') }} as json_runs
        on files.source_id = json_runs.source_id
    where
        results.parser = 'fio_text'
        and round(1000 * (results.runtime_seconds - json_runs.runtime_seconds)) = 0
        and abs(results.iops / json_runs.iops - 1) < 0.005
        -- time zones differ by quarters of an hour
        and coalesce(
            mod(
                mod(epoch(results.measured_at) - epoch(json_runs.measured_at), 900) + 902, 900
            ) <= 4, true
        )
),

runs as (
    select * replace (coalesce(measured_at, max(measured_at) over run_files) as measured_at),
    from results
    anti join in_json using (file_id, result_index)
    window run_files as (partition by folder, tool_name, run_or_result)
    qualify coalesce(precedence, 0) = min(coalesce(precedence, 0)) over run_files
)

select
    parser || '-' || source_id || '-' || result_index as measurement_id,
    parser as source_format,
    runs.* exclude (
        parser, folder, target, rate_limit, condition, run_key, run_or_result, precedence
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
