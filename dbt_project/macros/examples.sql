{#- Whether rankings, findings and comparisons use a measurement. All that rank, find or compare ask
    this; the one rule of what is left out is rpt_left_out_examples. -#}
{% macro counts(measurement_id='measurement_id') -%}
    {{ measurement_id }} not in (
        select left_out.measurement_id from {{ ref('rpt_left_out_examples') }} as left_out
    )
{%- endmacro %}
