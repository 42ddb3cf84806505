{#-
    The folder of a path with its last slash: 'lab/a/' of 'lab/a/run.json', '' of 'run.json'.
    A file that is packed by itself lies where the packed one does: 'lab/' of 'lab/run.json.gz/run.json'.
-#}
{% macro folder(path) -%}
    {%- set name -%} regexp_extract({{ path }}, '[^/]*$') {%- endset -%}
    regexp_extract(
        replace(
            replace({{ path }}, {{ name }} || '.gz/' || {{ name }}, {{ name }}),
            {{ name }} || '.zst/' || {{ name }}, {{ name }}
        ),
        '^(.*/)?[^/]*$', 1
    )
{%- endmacro %}
