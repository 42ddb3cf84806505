{#- Whether the row's file is still in place: raw keeps older revisions as well. -#}
{% macro is_current_file() -%}
    file_id in (
        select sources.file_id from {{ source('raw', 'sources') }} as sources
        where sources.is_current
    )
{%- endmacro %}
