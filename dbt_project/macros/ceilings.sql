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

{#- The measurement that a controller's limit is published as; empty of another formula. -#}
{% macro published_id(formula) -%}
    regexp_extract({{ formula }}, '^published: ([^ ,]+)', 1)
{%- endmacro %}

{#- A formula that has a published limit by its print, paper and page in place of its id; `point` is
    the measurement of `published_id`, if any. -#}
{% macro named_formula(formula, point) -%}
    coalesce(
        regexp_replace(
            {{ formula }}, '^published: [^ ,]+',
            'published: ' || {{ point }}.as_printed || ' (' || {{ point }}.source_label || ')'
        ), {{ formula }}
    )
{%- endmacro %}
