select
    file_id,
    measurement_id,
    {% for name, ratio in [('p50', 0.5), ('p95', 0.95), ('p99', 0.99), ('p999', 0.999)] -%}
        {% for latency in ['latency', 'min_latency', 'max_latency'] -%}
            max({{ latency }}_us) filter (where percentile_ratio = {{ ratio }})
                as {{ latency }}_{{ name }}_us,
        {% endfor -%}
    {% endfor -%}
from {{ ref('int_fio__percentiles') }}
where is_of_measurement
group by file_id, measurement_id
