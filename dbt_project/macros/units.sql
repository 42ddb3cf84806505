{#- All unit conversion of the project, used in staging, and where the unit of a log depends on its
    run. Base units: I/O per second, bytes, bytes per second, microseconds, hertz, revolutions per
    minute, ratio 0..1. -#}

{#- The factor from `unit` to the base unit of its quantity (dbt_project.yml); `base` is 2 if kilo
    means 1024, 10 if it means 1000. An unknown unit gives null, which
    tests/assert_printed_numbers_are_converted.sql rejects. -#}
{% macro unit_factor(unit, base) -%}
    {%- set prefix = '(case ' ~ base ~ ' when 2 then 1024.0 when 10 then 1000.0 end)' -%}
    case {{ unit }}
        when 'count' then 1
    {%- for quantity in var('quantities') %}
        {%- set units = var('quantities')[quantity].units %}
        {%- for name in units %}
        when '{{ name }}' then {{ units[name] | string | replace('prefix', prefix) }}
        {%- endfor %}
    {%- endfor %}
    end
{%- endmacro %}

{% macro to_base_unit(number, unit, base) -%}
    cast({{ number }} * {{ unit_factor(unit, base) }} as double)
{%- endmacro %}

{% macro to_bytes(number, unit, base) -%}
    try_cast(round({{ number }} * {{ unit_factor(unit, base) }}) as bigint)
{%- endmacro %}

{#- A printed number and the ends of its range, as `<name>`, `min_<name>` and `max_<name>`. -#}
{% macro printed_in_base_unit(name, base) -%}
    {{ to_base_unit('number', 'unit', base) }} as {{ name }},
    {{ to_base_unit('low_number', 'unit', base) }} as min_{{ name }},
    {{ to_base_unit('high_number', 'unit', base) }} as max_{{ name }}
{%- endmacro %}

{#- The base unit of a quantity, for tables with one row per value. -#}
{% macro base_unit(quantity) -%}
    case {{ quantity }}
    {%- for name in var('quantities') %}
        when '{{ name }}' then '{{ var('quantities')[name].base_unit }}'
    {%- endfor %}
    end
{%- endmacro %}

{#- fio's latencies are in microseconds before 3.0 and in nanoseconds after. -#}
{% macro to_us(latency, unit) -%}
    case {{ unit }} when 'ns' then {{ latency }} / 1e3 when 'us' then {{ latency }} end
{%- endmacro %}

{#- The lower edge of a bin of fio's fine histograms, from its middle, which fio prints: bins are
    exact below 128 units, then 64 for each power of two (stat.c plat_idx_to_val). -#}
{% macro fio_lower_edge(middle) -%}
    ({{ middle }} - if({{ middle }} < 128, 0.5, 2 ** (floor(log2({{ middle }})) - 7)))
{%- endmacro %}

{#- Whether a bin is the last one, which also has all longer latencies: from 16.6 s on in
    microseconds, from 17 s in nanoseconds (stat.h FIO_IO_U_PLAT_GROUP_NR). -#}
{% macro is_last_fio_bin(middle, unit) -%}
    {{ middle }} = case {{ unit }} when 'us' then 16711680 when 'ns' then 17112760320 end
{%- endmacro %}

{#- A size as fio reads it (HOWTO, "Parameter types"; tried with fio 3.33): 4k, 4K and 4kb are 4096,
    4KiB is 4000; kb_base=1000 swaps them; 0x1000 is 4096. A list or a range has more than one size:
    null. -#}
{% macro fio_size_bytes(option, kb_base) -%}
    {%- set pattern = "'^(0[xX][0-9a-fA-F]+|\\d+)([kmgtKMGT]?)(i|i?[bB])?$'" -%}
    try_cast(
        try_cast(regexp_extract({{ option }}, {{ pattern }}, 1) as bigint)
        * case
            when (lower({{ option }}) like '%ib') = ({{ kb_base }} = '1000') then 1024.0
            else 1000.0
        end
        ** (strpos(' kmgt', lower(regexp_extract({{ option }}, {{ pattern }}, 2))) - 1) as bigint
    )
{%- endmacro %}

{#- kb_base at the time when fio read the first of these options of a job: options are in the order
    in which fio read them, and those before kb_base have the default (parse.c, str_to_decimal;
    tried with fio 3.33). -#}
{% macro fio_kb_base(names) -%}
    case
        when
            (options ->> 'kb_base') is not null
            and list_position(json_keys(options), 'kb_base') < list_filter(
                list_transform(
                    {{ names }}, lambda name: list_position(json_keys(options), name)
                ),
                lambda position: position is not null
            )[1]
            then options ->> 'kb_base'
        else '1024'
    end
{%- endmacro %}

{#- A count in a job's options; null if unreadable, below 1 or beyond any machine (1000000). -#}
{% macro fio_count(option, kb_base) -%}
    list_filter(
        [{{ fio_size_bytes(option, kb_base) }}], lambda number: number between 1 and 1000000
    )[1]
{%- endmacro %}

{#- Percents as a ratio; null outside of fio's range of 0 to 100. -#}
{% macro fio_ratio(percents) -%}
    case
        when try_cast({{ percents }} as double) between 0 and 100
            then try_cast({{ percents }} as double) / 100
    end
{%- endmacro %}

{#- A time as fio reads it (HOWTO, "time"): seconds without a unit, 10ms, 5m, 2h, 1:30, 1:00:00. -#}
{% macro fio_time_seconds(option) -%}
    {%- set pattern = "'^([\\d.]+) *([a-z]*)$'" -%}
    case
        when contains({{ option }}, ':')
            then coalesce(try_cast(string_split({{ option }}, ':')[-1] as double), 0)
            + coalesce(try_cast(string_split({{ option }}, ':')[-2] as double), 0) * 60
            + coalesce(try_cast(string_split({{ option }}, ':')[-3] as double), 0) * 3600
            + coalesce(try_cast(string_split({{ option }}, ':')[-4] as double), 0) * 86400
        else
            try_cast(regexp_extract({{ option }}, {{ pattern }}, 1) as double) * map_extract_value(
                map {'us': 1e-6, 'ms': 1e-3, '': 1, 's': 1, 'm': 60, 'h': 3600, 'd': 86400},
                regexp_extract({{ option }}, {{ pattern }}, 2)
            )
    end
{%- endmacro %}

{#- The share of I/Os submitted with at least `io_depth` in flight. fio prints percentages for
    depths of 1, 2 to 3, 4 to 7 and so on, and 64 or more; syncs come on top of 100 %. -#}
{% macro fio_io_depth_reached_ratio(percent_by_level, io_depth) -%}
    case
        when {{ percent_by_level }} is not null
            then least(
                list_sum(
                    list_transform(
                        [1, 2, 4, 8, 16, 32, 64],
                        lambda level: if(
                            {{ io_depth }} < 2 * level or level = 64,
                            try_cast({{ percent_by_level }} ->> if(
                                level = 64, '>=64', cast(level as varchar)
                            ) as double),
                            0
                        )
                    )
                ) / 100, 1
            )
    end
{%- endmacro %}
