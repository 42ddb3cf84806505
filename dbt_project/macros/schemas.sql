{#- A model's schema is the one configured for its folder: marts, not main_marts. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
