-- A version that changed since the previous run may explain a change of level.
{%- set versions = [
    'tool_version', 'controller_firmware', 'drive_firmware', 'filesystem', 'os_name', 'os_kernel',
    'bios_version'
] %}
with points as (
    select
        series_name,
        series_id,
        measured_at,
        measurement_id,
        source_path,
        {{ versions | join(', ') }},
        unnest(['iops', 'bytes_per_second', 'latency_p99_us']) as metric,
        unnest([iops, bytes_per_second, latency_p99_us]) as value,
    from {{ ref('fct_measurements') }}
    where
        is_valid
        and document_id is null
        and measured_at is not null
        and is_superseded is not true
)

select
    * exclude ({{ versions | join(', ') }}),
    nullif(concat_ws(
        '; ',
        {% for version in versions -%}
            '{{ version | replace('_', ' ') }} ' || if(
                lag({{ version }}) over runs != {{ version }},
                lag({{ version }}) over runs || ' -> ' || {{ version }}, null
            ){% if not loop.last %},{% endif %}
        {% endfor -%}
    ), '') as version_change,
from points
where value is not null
window
    of_series as (partition by series_id, metric),
    runs as (partition by series_id, metric order by measured_at, measurement_id)
qualify min(measured_at) over of_series < max(measured_at) over of_series
order by series_id, metric, measured_at, measurement_id
