{#- What runs that repeat each other have in common, besides array and load profile. -#}
{% macro same_load() -%}
    outstanding_io_count, worker_count, io_engine, condition, file_size_bytes
{%- endmacro %}

{#- The median of `run_count` runs in the unit of `headline_metric`, with its range:
    '53.303 kIOPS (44.643 kIOPS to 61.962 kIOPS, 2 runs)'. -#}
{% macro median_label(median, least, most) -%}
    {{ quantity_label(median, 'headline_metric') }}
    || ' (' || {{ quantity_label(least, 'headline_metric') }}
    || ' to ' || {{ quantity_label(most, 'headline_metric') }} || ', ' || run_count || ' runs)'
{%- endmacro %}
