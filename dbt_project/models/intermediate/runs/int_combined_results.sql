-- What hosts did together: rates add up as those of fio's processes do, I/Os over the longest
-- runtime, where all ran at once for nine tenths of it. Mean latencies weigh by I/Os; percentiles
-- of the whole are not known. What is said differently of the hosts is not said of them together.
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
with parts as (
    select
        *,
        runtime_seconds / max(runtime_seconds) over host_results as runtime_share_ratio,
        iops * runtime_seconds as io_count,
        least(
            min(ended_seconds) over host_results - max(started_seconds) over host_results,
            max(runtime_seconds) over host_results
        ) as shared_seconds,
        shared_seconds >= 0.9 * max(runtime_seconds) over host_results as is_at_once,
    from {{ ref('int_combined_parts') }}
    window host_results as (partition by combined_id)
),

combined as (
    select
        combined_id as measurement_id,
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
            if(count({{ column }}) = count(*), sum({{ column }}), null)::bigint as {{ column }},
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
    group by combined_id
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
