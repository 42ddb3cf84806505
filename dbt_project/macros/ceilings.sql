{#- What protocols leave of a link's rate: the mean that Fujitsu 2016 found, page 5. -#}
{% macro practical_ratio() -%} 0.9 {%- endmacro %}

{#- Whether a back-test must not see a point: it is the tested value itself, stands on its page, or
    says the same value again; of own runs, it is of the same array. -#}
{% macro is_left_out(point, tested) -%}
    if(
        {{ tested }}.document_id is null,
        {{ point }}.array_id = {{ tested }}.array_id,
        {{ point }}.document_id = {{ tested }}.document_id
        and (
            {{ point }}.page is not distinct from {{ tested }}.page
            or {{ point }}.profile_id = {{ tested }}.profile_id
            and coalesce({{ point }}.bytes_per_second, {{ point }}.iops)
            = coalesce({{ tested }}.bytes_per_second, {{ tested }}.iops)
        )
    )
{%- endmacro %}
