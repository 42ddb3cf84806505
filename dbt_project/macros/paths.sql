{#- The headroom.yml that describes a result, beside a packed file because none is read inside:
    'lab/headroom.yml' of 'lab/run.json' and of 'lab/r.tar.gz/run/x.json'. -#}
{% macro sidecar_path(path) -%}
    regexp_replace({{ folder(path) }}, '[^/]+\.(tar|t(ar\.)?(gz|xz|bz2?|zst)|zip)/.*$', '')
    || 'headroom.yml'
{%- endmacro %}

{#- The folder of a path with its trailing slash: 'lab/a/' of 'lab/a/run.json', '' of 'run.json'. A
    file compressed on its own has the folder of the compressed file: 'lab/' of
    'lab/run.json.gz/run.json'. -#}
{% macro folder(path) -%}
    {%- set name -%} regexp_extract({{ path }}, '[^/]*$') {%- endset -%}
    if(
        regexp_extract({{ path }}, '([^/]*)/[^/]*$', 1)
        in ({{ name }} || '.gz', {{ name }} || '.zst', {{ name }} || '.xz', {{ name }} || '.bz2'),
        regexp_replace({{ path }}, '[^/]*/[^/]*$', ''), regexp_replace({{ path }}, '[^/]*$', '')
    )
{%- endmacro %}
