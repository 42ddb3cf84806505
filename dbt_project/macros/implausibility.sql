{#- Why a result is implausible, by the bounds in dbt_project.yml; null if it is plausible. A mix of
    blocks has no single size to multiply IOPS by; Little's law needs exact values. `parts` must not
    be below 0, `shares` must be 0 to 1; `ends` are of printed ranges, `others` further values. -#}
{% macro implausibility(
    block_bytes, outstanding_io_count, parts, shares=[], ends=[], others=[], is_exact='true'
) -%}
    {%- set bounds = var('bounds') -%}
    {%- set rates = [
        'read_iops', 'write_iops', 'read_bytes_per_second', 'write_bytes_per_second'
    ] -%}
    {%- set units = {
        'iops': 'IOPS', 'bytes_per_second': 'B/s', 'latency_mean_us': 'µs of mean latency'
    } -%}
    nullif(concat_ws(
        '; ',
    {%- for column in ['iops', 'bytes_per_second', 'latency_mean_us'] + ends %}
        {%- set measure = column | replace('min_', '') | replace('max_', '') %}
        case
            when {{ column }} not between {{ bounds[measure].min }} and {{ bounds[measure].max }}
                then format(
                    '{:.3g} {{ units[measure] }} is implausible: expected {:.3g} to {:.3g}',
                    {{ column }}, {{ bounds[measure].min }}, {{ bounds[measure].max }}
                )
        end,
    {%- endfor %}
        case
            when least({{ (rates + parts + shares) | join(', ') }}) < 0
                then 'a rate, count, time or share is below 0'
        end,
    {%- for share in shares %}
        case when {{ share }} > 1 then 'a share is above 1' end,
    {%- endfor %}
        case
            when
                coalesce(
                    iops, bytes_per_second, latency_mean_us,
                    {{ (rates + ends + others) | join(', ') }}
                ) is null
                then 'has neither a rate nor a latency'
        end,
        case
            when
                iops * {{ block_bytes }} / nullif(bytes_per_second, 0) not between
                1 / {{ bounds.units.max_ratio }} and {{ bounds.units.max_ratio }}
                then format(
                    'IOPS x block size is {:.3g} times the throughput',
                    iops * {{ block_bytes }} / bytes_per_second
                )
        end,
        case
            when
                {{ is_exact }}
                and iops * latency_mean_us / 1e6 / nullif({{ outstanding_io_count }}, 0)
                > {{ bounds.littles_law.max_unit_ratio }}
                then format(
                    'IOPS x mean latency is {:.3g} times the outstanding I/Os',
                    iops * latency_mean_us / 1e6 / {{ outstanding_io_count }}
                )
        end
    ), '')
{%- endmacro %}

{#- Why a rate has too few I/Os in too short a time; null if either suffices or is not reported. -#}
{% macro too_few_ios(io_count, seconds) -%}
    {%- set least = var('least_evidence') -%}
    case
        when {{ io_count }} < {{ least.io_count }} and {{ seconds }} < {{ least.seconds }}
            then {{ counted(io_count, 'I/O') }} || ' in ' || {{ short('1000 * ' ~ seconds) }}
            || ' ms: too few, expected {{ least.io_count }} I/Os or {{ least.seconds }} s'
    end
{%- endmacro %}
