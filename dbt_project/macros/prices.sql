{#- The price columns of a part, from the catalog's maps of attributes. -#}
{% macro stated_price() -%}
    numbers['price'] as price,
    texts['price_currency'] as price_currency,
    try_cast(texts['price_date'] as date) as price_date,
    texts['price_by'] as price_by,
{%- endmacro %}

{#- A price as people write it: '2400 EUR', '549.50 EUR'. -#}
{% macro amount(price, currency) -%}
    regexp_replace(cast(try_cast({{ price }} as decimal(18, 2)) as varchar), '[.]00$', '')
    || ' ' || {{ currency }}
{%- endmacro %}

{#- Watts as people write them: '33.6 W'. -#}
{% macro watts_label(watts) -%}
    format('{:g}', round({{ watts }}, 1)) || ' W'
{%- endmacro %}

{#- A design's value per unit of price or power: '≤ 120 IOPS per EUR'. -#}
{% macro value_per(what, unit) -%}
    {{ mark('value_qualifier') }}
    || {{ rounded_label(
        'headline_value / ' ~ what, 'headline_metric'
    ) }} || ' per ' || {{ unit }}
{%- endmacro %}
