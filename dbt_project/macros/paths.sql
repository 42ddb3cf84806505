{#- The folder of a path with its last slash: 'lab/a/' of 'lab/a/run.json', nothing of 'run.json'. -#}
{% macro folder(path) -%}
    regexp_extract({{ path }}, '^(.*/)?[^/]*$', 1)
{%- endmacro %}
