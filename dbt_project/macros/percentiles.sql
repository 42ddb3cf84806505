{#- A percentile that a document prints, of the whole latency before the completion latency. -#}
{% macro printed_percentile(percentile) -%}
    coalesce(stated['latency_{{ percentile }}'], stated['completion_latency_{{ percentile }}'])
{%- endmacro %}
