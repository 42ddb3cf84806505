{#- All unit conversion of the project, used in staging and nowhere else. Base units: I/O per
    second, bytes, bytes per second, microseconds, hertz, revolutions per minute, ratio 0..1. -#}

{#- What one of `unit` is in the base unit of its quantity; `base` is 2 where kilo means 1024, 10
    where it means 1000. An unknown unit gives null, which the not_null tests on staging refuse. -#}
{% macro unit_factor(unit, base) -%}
    case {{ unit }}
        when 'IO/s' then 1
        when 'IOPS' then 1
        when 'count' then 1
        when 'times' then 1
        when '%' then 0.01
        when 'ns' then 1e-3
        when 'us' then 1
        when 'ms' then 1e3
        when 's' then 1e6
        when 'minutes' then 60e6
        when 'hours' then 3600e6
        when 'MHz' then 1e6
        when 'GHz' then 1e9
        when 'rpm' then 1
        when 'krpm' then 1e3
        when 'B' then 1
        when 'byte' then 1
        when 'bytes' then 1
        when 'B/s' then 1
        when 'KiB/s' then 1024
        when 'kB' then {{ prefix(base) }}
        when 'MB' then {{ prefix(base) }} ** 2
        when 'MB/s' then {{ prefix(base) }} ** 2
        when 'GB' then {{ prefix(base) }} ** 3
        when 'GB/s' then {{ prefix(base) }} ** 3
        when 'TB' then {{ prefix(base) }} ** 4
    end
{%- endmacro %}

{% macro prefix(base) -%}
    case {{ base }} when 2 then 1024.0 when 10 then 1000.0 end
{%- endmacro %}

{% macro to_base_unit(number, unit, base) -%}
    cast({{ number }} * {{ unit_factor(unit, base) }} as double)
{%- endmacro %}

{% macro to_bytes(number, unit, base) -%}
    cast(round({{ number }} * {{ unit_factor(unit, base) }}) as bigint)
{%- endmacro %}

{#- The unit that a quantity has after conversion, for tables with one row a value. -#}
{% macro base_unit(quantity) -%}
    case {{ quantity }}
        when 'io_rate' then 'iops'
        when 'data_rate' then 'bytes_per_second'
        when 'time' then 'us'
        when 'size' then 'bytes'
        when 'frequency' then 'hertz'
        when 'rotation_rate' then 'rpm'
        when 'ratio' then 'ratio'
        when 'count' then 'count'
    end
{%- endmacro %}

{#- fio's latencies are in microseconds before 3.0 and in nanoseconds after. -#}
{% macro to_us(latency, unit) -%}
    case {{ unit }} when 'ns' then {{ latency }} / 1e3 when 'us' then {{ latency }} end
{%- endmacro %}

{#- A size as fio takes it: 4k, 4K, 4KiB, 1m, 4096 (HOWTO, "Parameter types": powers of 1024 unless
    kb_base=1000). Lists and ranges (4k,8k and 4k-64k) are more than one size and give null. -#}
{% macro fio_size_bytes(option) -%}
    cast(
        try_cast(regexp_extract({{ option }}, '^(\d+)([kKmMgGtT]?)(?:i?[bB])?$', 1) as bigint)
        * case upper(regexp_extract({{ option }}, '^(\d+)([kKmMgGtT]?)(?:i?[bB])?$', 2))
            when '' then 1
            when 'K' then 1024
            when 'M' then 1024 ** 2
            when 'G' then 1024 ** 3
            when 'T' then 1024 ** 4
        end as bigint
    )
{%- endmacro %}
