{#- A sum of doubles that is the same to the last bit however rows lie and threads share them:
    they are added in the order of their size. `sum(x order by x)` costs 16 times as much. -#}
{% macro ordered_sum(value, condition=none) -%}
    list_sum(list_sort(
        list({{ value }}) {%- if condition is not none %} filter (where {{ condition }}){% endif %}
    ))
{%- endmacro %}

{#- The same over a window, of ratios with up to 12 decimals, or of what weighs as much: a list for
    each row would be long. -#}
{% macro ratio_sum(value, window) -%}
    cast(sum(try_cast({{ value }} as decimal(28, 12))) over {{ window }} as double)
{%- endmacro %}
