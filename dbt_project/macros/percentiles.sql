{#- A percentile that a document prints, of the whole latency before the completion latency. -#}
{% macro printed_percentile(percentile) -%}
    coalesce(
        max(value) filter (where metric = 'latency_{{ percentile }}'),
        max(value) filter (where metric = 'completion_latency_{{ percentile }}')
    )
{%- endmacro %}
