-- Our own series of more than one run. Array, source and id are those of the newest run.
{%- set of_series = [
    'series_name', 'profile_id', 'profile_label', 'outstanding_io_count', 'worker_count',
    'io_engine', 'condition', 'file_size_bytes', 'requested_runtime_seconds', 'headline_metric'
] %}
with loads as (
    select
        series_id,
        {% for column in of_series -%}
            any_value({{ column }}) as {{ column }},
        {% endfor -%}
        {% for column in ['array_id', 'array_label', 'source_label', 'measurement_id'] -%}
            arg_max({{ column }}, (measured_at is not null, measured_at, measurement_id))
                as {{ column }},
        {% endfor -%}
        median(headline_value) as headline_value,
        min(headline_value) as min_headline_value,
        max(headline_value) as max_headline_value,
        count(*) as run_count,
        max(measured_at) as measured_at,
    from {{ ref('rpt_measurements') }}
    where
        is_valid
        and not is_derived
        and document_id is null
        and headline_value is not null
        and is_superseded is not true
    group by series_id
    having run_count > 1
)

select
    *,
    coalesce(
        nullif(
            concat_ws(
                ', ',
                {{ counted('outstanding_io_count', 'outstanding I/O') }},
                {{ counted('worker_count', 'worker') }},
                io_engine,
                condition,
                {{ short('requested_runtime_seconds') }} || ' s'
            ), ''
        ), 'load not reported'
    ) as load_label,
    {{ median_label('headline_value', 'min_headline_value', 'max_headline_value') }} as value_label,
    max_headline_value / nullif(min_headline_value, 0) - 1 as spread_ratio,
from loads
