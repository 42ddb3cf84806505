{#- Why a tool's result is implausible, by the bounds in dbt_project.yml; null where it is not. A
    mix of blocks has no one size to compare its IOPS with. -#}
{% macro implausibility(block_bytes, outstanding_io_count) -%}
    {%- set bounds = var('bounds') -%}
    nullif(concat_ws(
        '; ',
    {%- for measure, unit in [
        ('iops', 'IOPS'), ('bytes_per_second', 'B/s'), ('latency_mean_us', 'µs of mean latency')
    ] %}
        case
            when {{ measure }} not between {{ bounds[measure].min }} and {{ bounds[measure].max }}
                then format(
                    '{:.3g} {{ unit }} is implausible: expected {:.3g} to {:.3g}',
                    {{ measure }}, {{ bounds[measure].min }}, {{ bounds[measure].max }}
                )
        end,
    {%- endfor %}
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
                iops * latency_mean_us / 1e6 / nullif({{ outstanding_io_count }}, 0)
                > {{ bounds.littles_law.max_unit_ratio }}
                then format(
                    'IOPS x mean latency is {:.3g} times the outstanding I/Os',
                    iops * latency_mean_us / 1e6 / {{ outstanding_io_count }}
                )
        end
    ), '')
{%- endmacro %}
