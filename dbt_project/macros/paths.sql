{#- The folder of a path with its last slash: 'lab/a/' of 'lab/a/run.json', '' of 'run.json'. -#}
{% macro folder(path) -%}
    regexp_extract({{ path }}, '^(.*/)?[^/]*$', 1)
{%- endmacro %}
