-- Results of several hosts added up, if headroom.yml has `combine: host`: results of the same load,
-- each of which overlaps with earlier ones by more than half of its runtime. The clocks of hosts
-- differ, so that consecutive runs may seem to overlap a little. Rates add up like those of fio's
-- processes, I/Os over the longest runtime, if all ran at once for nine tenths of it. Mean
-- latencies are weighted by I/Os; percentiles of the sum are unknown. A field that differs between
-- hosts is null.
{%- set load = [
    'combine_below', 'source_format', 'tool_name', 'profile_id', 'condition',
    'outstanding_io_count', 'worker_count', 'io_engine', 'file_size_bytes',
    'requested_runtime_seconds', 'is_example', 'job'
] %}
{%- set sums = [
    'outstanding_io_count', 'requested_outstanding_io_count', 'worker_count'
] %}
{%- set common = [
    'source_format', 'tool_name', 'tool_version', 'profile_id', 'profile_name', 'condition',
    'io_engine', 'defaulted_settings', 'derived_settings',
    'requested_runtime_seconds', 'file_size_bytes', 'device_names', 'server', 'vendor', 'controller', 'controller_generation', 'raid_level',
    'drive', 'drive_count', 'drive_media', 'drive_interface', 'stripe_bytes',
    'controller_firmware', 'drive_firmware', 'filesystem', 'os_name', 'os_kernel',
    'bios_version', 'note'
] %}
with results as (
    select
        *,
        {{ job('source_position') }} as job,
        epoch(measured_at) as ended_seconds,
        ended_seconds - runtime_seconds as started_seconds,
    from ({{ described_runs() }}) as described
    where combine_below is not null and measured_at is not null and runtime_seconds > 0
),

ordered as (
    select
        *,
        md5(cast(row({{ load | join(', ') }}) as varchar)) as load_id,
        max(ended_seconds) over (
            partition by load_id
            order by started_seconds, measurement_id
            rows between unbounded preceding and 1 preceding
        ) as ended_before_seconds,
    from results
),

batches as (
    select
        *,
        sum(if(ended_before_seconds - started_seconds > 0.5 * runtime_seconds, 0, 1)) over (
            partition by load_id
            order by started_seconds, measurement_id
            rows between unbounded preceding and current row
        ) as batch_number,
    from ordered
),

parts as (
    select
        *,
        runtime_seconds / max(runtime_seconds) over host_results as runtime_share_ratio,
        iops * runtime_seconds as io_count,
        least(
            min(ended_seconds) over host_results - max(started_seconds) over host_results,
            max(runtime_seconds) over host_results
        ) as shared_seconds,
        shared_seconds >= 0.9 * max(runtime_seconds) over host_results as is_at_once,
    from batches
    window host_results as (partition by load_id, batch_number)
    qualify count(*) over host_results > 1
),

combined as (
    select
        'combined-' || min(measurement_id) as measurement_id,
        list(measurement_id order by measurement_id) as part_ids,
        arg_min(file_id, measurement_id) as file_id,
        min(source_path) as first_path,
        max(source_path) as last_path,
        any_value(job) || ' in ' || count(*) || ' files' as source_position,
        count(*) as part_count,
        max(measured_at) as measured_at,
        max(runtime_seconds) as runtime_seconds,
        any_value(is_example) as is_example,
        bool_or(has_sidecar) as has_sidecar,
        {% for column in common -%}
            if(count(distinct {{ column }}) = 1, min({{ column }}), null) as {{ column }},
        {% endfor -%}
        {% for column in sums -%}
            try_cast(if(count({{ column }}) = count(*), sum({{ column }}), null) as bigint)
                as {{ column }},
        {% endfor -%}
        {% for rate in ['iops', 'bytes_per_second'] -%}
            {% for kind in ['', 'read_', 'write_'] -%}
                if(
                    bool_and(is_at_once) and count({{ rate }}) = count(*),
                    {{ ordered_sum(kind ~ rate ~ ' * runtime_share_ratio') }}, null
                ) as {{ kind ~ rate }},
            {% endfor -%}
        {% endfor -%}
        if(
            bool_and(is_at_once) and count(io_count * latency_mean_us) = count(*),
            {{ ordered_sum('io_count * latency_mean_us') }}
            / nullif({{ ordered_sum('io_count') }}, 0), null
        ) as latency_mean_us,
        if(count(latency_min_us) = count(*), min(latency_min_us), null) as latency_min_us,
        if(count(latency_max_us) = count(*), max(latency_max_us), null) as latency_max_us,
        'exact' as value_qualifier,
        false as is_derived,
        bool_and(is_plausible) as is_plausible,
        bool_and(is_valid and is_at_once) as is_valid,
        nullif(concat_ws(
            '; ',
            if(
                bool_and(is_at_once), null,
                'its files ran at once for ' || {{ short('greatest(min(shared_seconds), 0)') }}
                || ' of ' || {{ short('max(runtime_seconds)') }} || ' s: not added up'
            ),
            nullif(count(*) filter (where not is_valid), 0) || ' of ' || count(*)
            || ' files are not valid: ' || min(validity_note) filter (where not is_valid)
        ), '') as validity_note,
    from parts
    group by load_id, batch_number
),

placed as (
    select
        * exclude (first_path, last_path),
        regexp_extract(
            left(first_path, len(list_filter(
                range(1, least(length(first_path), length(last_path)) + 1),
                lambda place: left(first_path, place) = left(last_path, place)
            ))),
            '^(.*/)?[^/]*$', 1
        ) as below,
    from combined
)

select
    * exclude (below),
    below || '**' as source_path,
    coalesce(nullif(rtrim(below, '/'), ''), '.') as folder,
from placed
