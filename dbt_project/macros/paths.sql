{#- The folder of a path with its trailing slash: 'lab/a/' of 'lab/a/run.json', '' of 'run.json'. A
    file compressed on its own has the folder of the compressed file: 'lab/' of
    'lab/run.json.gz/run.json'. -#}
{% macro folder(path) -%}
    {%- set name -%} regexp_extract({{ path }}, '[^/]*$') {%- endset -%}
    {%- set unpacked = namespace(path=path) -%}
    {%- for ending in ("gz", "zst", "xz", "bz2") -%}
        {%- set parts = (unpacked.path, name, ending, name, name) -%}
        {%- set unpacked.path = "replace(%s, %s || '.%s/' || %s, %s)" % parts -%}
    {%- endfor -%}
    regexp_extract({{ unpacked.path }}, '^(.*/)?[^/]*$', 1)
{%- endmacro %}
