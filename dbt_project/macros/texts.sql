{#- A readable id: 'PRAID EP420i' becomes 'praid-ep420i'. -#}
{% macro slug(text) -%}
    trim(regexp_replace(lower({{ text }}), '[^a-z0-9]+', '-', 'g'), '-')
{%- endmacro %}

{#- A size as people read it: 65536 becomes '64KiB'. -#}
{% macro size_label(bytes) -%}
    case
        when {{ bytes }} % 1048576 = 0 then {{ bytes }} // 1048576 || 'MiB'
        when {{ bytes }} % 1024 = 0 then {{ bytes }} // 1024 || 'KiB'
        else {{ bytes }} || 'B'
    end
{%- endmacro %}

{#- The members of a cell such as 'PRAID EP400i; PRAID EP420i', a row each; a null row for null. -#}
{% macro each_of(cell) -%}
    unnest(coalesce(string_split({{ cell }}, '; '), [null]))
{%- endmacro %}

{#- '41', or '8-13' where the text at hand does not show on which of these pages it stands. -#}
{% macro page_span(page, last_page) -%}
    {{ page }} || case when {{ last_page }} > {{ page }} then '-' || {{ last_page }} else '' end
{%- endmacro %}

{#- A block mix as one text, shares in thousandths: '4096 x 500, 65536 x 500'. -#}
{% macro block_mix_label(block_mix) -%}
    array_to_string(
        list_transform(
            {{ block_mix }},
            lambda part: part.block_bytes || ' x '
            || coalesce(cast(round(part.share_ratio * 1000) as int), 0)
        ), ', '
    )
{%- endmacro %}

{#- A number as a text without decimals. -#}
{% macro whole(number) -%}
    cast(round({{ number }}) as bigint)
{%- endmacro %}

{#- A ratio as percents with its decimals, up to three: 0.67 is '67', 0.335 is '33.5'. -#}
{% macro percent_label(ratio) -%}
    regexp_replace(cast(cast({{ ratio }} * 100 as decimal(9, 3)) as varchar), '[.]?0+$', '')
{%- endmacro %}

{#- A number as a text with no more than three decimals. -#}
{% macro short(number) -%}
    format('{:g}', cast(round({{ number }}, 3) as double))
{%- endmacro %}

{#- A number before its unit, with a prefix of the SI: 18000000000 becomes '18 G', 8000 '8000 '. -#}
{% macro si_label(number) -%}
    case
        when abs({{ number }}) >= 1e9 then {{ short(number ~ ' / 1e9') }} || ' G'
        when abs({{ number }}) >= 1e6 then {{ short(number ~ ' / 1e6') }} || ' M'
        when abs({{ number }}) >= 1e4 then {{ short(number ~ ' / 1e3') }} || ' k'
        else {{ short(number) }} || ' '
    end
{%- endmacro %}

{#- Microseconds as people read them: 18000000000 becomes '5 h'. -#}
{% macro time_label(microseconds) -%}
    case
        when {{ microseconds }} >= 3.6e9 then {{ short(microseconds ~ ' / 3.6e9') }} || ' h'
        when {{ microseconds }} >= 6e7 then {{ short(microseconds ~ ' / 6e7') }} || ' min'
        when {{ microseconds }} >= 1e6 then {{ short(microseconds ~ ' / 1e6') }} || ' s'
        when {{ microseconds }} >= 1e4 then {{ short(microseconds ~ ' / 1e3') }} || ' ms'
        else {{ short(microseconds) }} || ' µs'
    end
{%- endmacro %}

{#- A value in a base unit as people read it: '1.611 GB/s', '19.005 kIOPS', '5 h', '2'. -#}
{% macro quantity_label(value, unit) -%}
    case {{ unit }}
        when 'bytes_per_second' then {{ si_label(value) }} || 'B/s'
        when 'iops' then {{ si_label(value) }} || 'IOPS'
        when 'us' then {{ time_label(value) }}
        else {{ short(value) }}
    end
{%- endmacro %}

{#- A count before its noun: '1 drive', '8 drives', 'up to 8 drives'. -#}
{% macro counted(count, noun) -%}
    {{ count }} || if({{ count }}::varchar = '1', ' {{ noun }}', ' {{ noun }}s')
{%- endmacro %}

{#- What stands before a value that is not exact. -#}
{% macro qualified(qualifier) -%}
    case {{ qualifier }}
        when 'at_most' then 'at most '
        when 'at_least' then 'at least '
        when 'approximate' then '≈ '
        else ''
    end
{%- endmacro %}
