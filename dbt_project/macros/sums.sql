{#- A sum of doubles that is the same to the last bit for any order of rows and number of threads:
    it adds them in order of size. `sum(x order by x)` costs 16 times as much. -#}
{% macro ordered_sum(value, condition=none) -%}
    list_sum(list_sort(
        list({{ value }}) {%- if condition is not none %} filter (where {{ condition }}){% endif %}
    ))
{%- endmacro %}

{#- The same over a window, for ratios with up to 12 decimals, also weighted by I/Os: a list for
    each row would be long. -#}
{% macro ratio_sum(value, window) -%}
    cast(sum(try_cast({{ value }} as decimal(28, 12))) over {{ window }} as double)
{%- endmacro %}
