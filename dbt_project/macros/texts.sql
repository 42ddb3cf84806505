{#- A readable id: 'PRAID EP420i' becomes 'praid-ep420i'. -#}
{% macro slug(text) -%}
    trim(regexp_replace(lower({{ text }}), '[^a-z0-9]+', '-', 'g'), '-')
{%- endmacro %}

{#- A text of an edition, marked if it is not the leading one: 'Tabelle 3 (de)'. -#}
{% macro of_edition(text) -%}
    {{ text }} || if(edition_order > 1, ' (' || edition || ')', '')
{%- endmacro %}

{#- The texts of all editions joined, the leading edition's first, without repeats: 'table 3;
    Tabelle 3 (de)'. An aggregate. -#}
{% macro of_editions(text, order) -%}
    {%- set leading -%}
        string_agg({{ text }}, '; ' order by {{ order }})
            filter (where coalesce(edition_order, 1) = 1)
    {%- endset -%}
    {%- set others -%}
        list({{ of_edition(text) }} order by {{ order }})
            filter (where edition_order > 1 and {{ text }} is not null)
    {%- endset -%}
    nullif(
        concat_ws(
            '; ',
            {{ leading }},
            nullif(array_to_string(list_filter(
                {{ others }},
                lambda other: not contains(
                    concat('; ', {{ leading }}, '; '),
                    concat('; ', regexp_replace(other, ' [(][^()]*[)]$', ''), '; ')
                )
            ), '; '), '')
        ), ''
    )
{%- endmacro %}

{#- A size as people read it: 65536 becomes '64KiB'. -#}
{% macro size_label(bytes) -%}
    case
        when {{ bytes }} % 1048576 = 0 then {{ bytes }} // 1048576 || 'MiB'
        when {{ bytes }} % 1024 = 0 then {{ bytes }} // 1024 || 'KiB'
        else {{ bytes }} || 'B'
    end
{%- endmacro %}

{#- The members of a cell such as 'PRAID EP400i; PRAID EP420i', a row each, also for null. -#}
{% macro each_of(cell) -%}
    unnest(coalesce(string_split({{ cell }}, '; '), [null]))
{%- endmacro %}

{#- '41', or '8-13' if the text at hand does not show which of these pages it is from. -#}
{% macro page_span(page, last_page) -%}
    {{ page }} || case when {{ last_page }} > {{ page }} then '-' || {{ last_page }} else '' end
{%- endmacro %}

{#- A number as a text without decimals. -#}
{% macro whole(number) -%}
    try_cast(round({{ number }}) as bigint)
{%- endmacro %}

{#- A ratio as percents with its decimals, up to three: 0.67 is '67', 0.335 is '33.5'. -#}
{% macro percent_label(ratio) -%}
    regexp_replace(cast(try_cast({{ ratio }} * 100 as decimal(9, 3)) as varchar), '[.]?0+$', '')
{%- endmacro %}

{#- A number as a text with no more than three decimals. -#}
{% macro short(number) -%}
    format('{:g}', cast(round({{ number }}, 3) as double))
{%- endmacro %}

{#- A value in a base unit as people read it: '1.611 GB/s', '19.005 kIOPS', '8000 IOPS', '5 h', '2',
    in the first unit of _by_size that it reaches. A lambda, so that DuckDB plans it only once. -#}
{% macro quantity_label(value, unit) -%}
    list_transform(
        [{{ value }}], lambda quantity: {{ short('quantity / ' ~ _by_size(unit, 1, '1')) }}
        || {{ _by_size(unit, 2, "''") }}
    )[1]
{%- endmacro %}

{#- The unit for a quantity of this size: its factor (part 1) or its name (part 2). -#}
{% macro _by_size(unit, part, other) -%}
    {%- set sizes = {
        'bytes_per_second': [('1e9', '1e9', "' GB/s'"), ('1e6', '1e6', "' MB/s'"), ('1e4', '1e3', "' kB/s'"), ('', '1', "' B/s'")],
        'iops': [('1e9', '1e9', "' GIOPS'"), ('1e6', '1e6', "' MIOPS'"), ('1e4', '1e3', "' kIOPS'"), ('', '1', "' IOPS'")],
        'bytes': [('1e12', '1e12', "' TB'"), ('1e9', '1e9', "' GB'"), ('1e6', '1e6', "' MB'"), ('', '1e3', "' kB'")],
        'us': [('3.6e9', '3.6e9', "' h'"), ('6e7', '6e7', "' min'"), ('1e6', '1e6', "' s'"), ('1e4', '1e3', "' ms'"), ('', '1', "' µs'")]
    } -%}
    case {{ unit }}
        when 'ratio' then {{ ('', '1', "' x'")[part] }}
    {%- for name in sizes %}
        when '{{ name }}' then {{ _first_reached(sizes[name], part) }}
    {%- endfor %}
        else {{ other }}
    end
{%- endmacro %}

{% macro _first_reached(sizes, part) -%}
    {%- set ns = namespace(text=sizes[-1][part]) -%}
    {%- for size in sizes[:-1] | reverse -%}
        {%- set ns.text = 'if(quantity >= %s, %s, %s)' % (size[0], size[part], ns.text) -%}
    {%- endfor -%}
    {{ ns.text }}
{%- endmacro %}

{#- A value in the unit that it is in: '20 %' of a ratio, '10 s', '3' of a count. -#}
{% macro quantity_in_unit(value, unit) -%}
    case {{ unit }}
        when 'ratio' then {{ percent(value) }}
        when 'yes/no' then if({{ value }} = 1, 'yes', 'no')
        when 'count' then {{ short(value) }}
        else {{ short(value) }} || ' ' || {{ unit }}
    end
{%- endmacro %}

{#- The meaning of a prefix of bytes: '2^20' or '10^6'; null for another factor. -#}
{% macro power_label(factor) -%}
    case
    {%- for base, step in [(2, 10), (10, 3)] %}
        {%- for power in range(step, 5 * step, step) %}
        when abs({{ factor }} / {{ base ** power }} - 1) < 1e-9 then '{{ base }}^{{ power }}'
        {%- endfor %}
    {%- endfor %}
    end
{%- endmacro %}

{#- A count before its noun: '1 drive', '8 drives', 'up to 8 drives'. -#}
{% macro counted(count, noun) -%}
    {{ count }} || if({{ count }}::varchar = '1', ' {{ noun }}', ' {{ noun }}s')
{%- endmacro %}

{#- The drives of an array as far as they are known: '8 x SAS-12G-SSD', '8 x SSD', '8 drives',
    'SSDs, count not reported'. -#}
{% macro drives_label(count, drive, media) -%}
    coalesce(
        {{ count }} || ' x ' || coalesce({{ drive }}, {{ media }}),
        coalesce({{ drive }}, {{ media }} || 's') || ', count not reported',
        {{ counted(count, 'drive') }}, 'drives not reported'
    )
{%- endmacro %}

{#- The sign before a value that is not exact: '≈ ', '≥ ' or '≤ '. -#}
{% macro mark(qualifier) -%}
    case {{ qualifier }}
        when 'approximate' then '≈ '
        when 'at_least' then '≥ '
        when 'at_most' then '≤ '
        else ''
    end
{%- endmacro %}

{#- A share of the ceiling with its mark: '83 %'; '≥ 46 %' if an unknown limit may be lower; the
    reason if there is no share; null without a ceiling. -#}
{% macro attained_label(scope, qualifier, ratio) -%}
    case
        when {{ scope }} = 'value is the limit' then 'is the limit'
        when {{ scope }} = 'limit of another processor'
            then 'no comparable ceiling: the limit is of another processor'
        when {{ scope }} = 'all limits known'
            then {{ mark(qualifier) }} || {{ percent(ratio) }}
        when {{ is_lower_bound(scope, qualifier) }} then '≥ ' || {{ percent(ratio) }}
        when {{ scope }} = 'some limits unknown'
            then 'no share: value and ceiling are upper bounds'
    end
{%- endmacro %}

{#- Whether the share of the known limits is a lower bound of the share of the ceiling. -#}
{% macro is_lower_bound(scope, qualifier) -%}
    ({{ scope }} = 'some limits unknown' and {{ qualifier }} != 'at_most')
{%- endmacro %}

{#- Whether a value has a share of its ceiling in percent. -#}
{% macro has_share(scope, qualifier) -%}
    ({{ scope }} = 'all limits known' or {{ is_lower_bound(scope, qualifier) }})
{%- endmacro %}

{#- A ratio in percents: '46 %', '2.3 %'. -#}
{% macro percent(ratio) -%}
    format(
        '{:g}',
        round(100 * ({{ ratio }}), if({{ ratio }} < 0.1 or {{ ratio }} between 0.995 and 1, 1, 0))
    ) || ' %'
{%- endmacro %}

{#- '0.8 to 1.2 ms', from two columns in microseconds; null if they are null. -#}
{% macro latency_range(column) -%}
    {{ short('min_' ~ column ~ ' / 1e3') }}
    || ' to ' || {{ short('max_' ~ column ~ ' / 1e3') }} || ' ms'
{%- endmacro %}
