{#- What stands before the factor between two values: nothing, ≈, ≥ or ≤. Null where there is no
    factor: two that are both "at least", or both "up to" in different papers. Of two that one paper
    prints as "up to" it is the factor between these maxima. Repeated runs that range over the other
    value have no exact one. -#}
{% macro factor_mark(qualifier, other_qualifier, is_same_document, has_overlap) -%}
    case
        when
            {{ qualifier }} = 'exact' and {{ other_qualifier }} = 'exact' and not {{ has_overlap }}
            then ''
        when
            {{ qualifier }} = 'at_most' and {{ other_qualifier }} = 'at_most'
            and {{ is_same_document }}
            then ''
        when
            {{ qualifier }} in ('exact', 'approximate')
            and {{ other_qualifier }} in ('exact', 'approximate')
            then '≈ '
        when
            {{ qualifier }} in ('exact', 'approximate', 'at_least')
            and {{ other_qualifier }} in ('exact', 'approximate', 'at_most')
            then '≥ '
        when
            {{ qualifier }} in ('exact', 'approximate', 'at_most')
            and {{ other_qualifier }} in ('exact', 'approximate', 'at_least')
            then '≤ '
    end
{%- endmacro %}

{#- All ratios of a value of one list to a value of the other, the least first. -#}
{% macro all_ratios(values, baseline_values) -%}
    list_sort(flatten(list_transform(
        {{ baseline_values }}, lambda x: list_transform({{ values }}, lambda y: y / x)
    )))
{%- endmacro %}

{#- Which of these ratios, from both ends, bound the factor at 95 % for noise of any distribution:
    the normal approximation of Mann and Whitney's ranks. Below 1 there are too few values. -#}
{% macro ratio_margin(count, baseline_count) -%}
    cast(floor(
        {{ count }} * {{ baseline_count }} / 2 + 0.5
        - 1.959964
        * sqrt({{ count }} * {{ baseline_count }} * ({{ count }} + {{ baseline_count }} + 1) / 12)
    ) as bigint)
{%- endmacro %}

{#- The condition of two RAID levels, or that of each where they differ. -#}
{% macro conditions_label(level, baseline) -%}
    if(
        {{ level }}.condition is not distinct from {{ baseline }}.condition, {{ level }}.condition,
        concat_ws(
            '; ', {{ level }}.raid_level || ': ' || {{ level }}.condition,
            {{ baseline }}.raid_level || ': ' || {{ baseline }}.condition
        )
    )
{%- endmacro %}

{#- A number in three digits; null for 0 and what is not finite. -#}
{% macro three_digits(number) -%}
    round({{ number }}, 2 - try_cast(floor(log10(nullif(abs({{ number }}), 0))) as integer))
{%- endmacro %}

{#- '4.63 x'. -#}
{% macro times_label(ratio) -%}
    {{ short(three_digits(ratio)) }} || ' x'
{%- endmacro %}

{#- A value in three digits, in the one unit that all of its metric have: '0.302 kIOPS'. -#}
{% macro compared_label(value, metric) -%}
    format('{:g}', {{ three_digits(value ~ " / if(" ~ metric ~ " = 'iops', 1e3, 1e9)") }})
    || if({{ metric }} = 'iops', ' kIOPS', ' GB/s')
{%- endmacro %}

{#- The same in MB/s of 2^20 bytes, as Fujitsu's papers print it: '5900 MB/s'. -#}
{% macro mebibyte_label(value, metric) -%}
    if(
        {{ metric }} = 'iops',
        {{ compared_label(value, metric) }},
        format(
            '{:g}',
            if(
                {{ value }} < 100 * 1048576,
                {{ three_digits(value ~ ' / 1048576') }}, round({{ value }} / 1048576)
            )
        ) || ' MB/s'
    )
{%- endmacro %}

{#- A value in three digits, in the unit that suits it: '302 IOPS', '6.19 GB/s', '18.9 ms'. -#}
{% macro rounded_label(value, unit) -%}
    {{ quantity_label(three_digits(value), unit) }}
{%- endmacro %}

{#- A ratio in whole percents, or tenths of the first: '46 %', '0.4 %'. -#}
{% macro rounded_percent(ratio) -%}
    {{ short('round(100 * ' ~ ratio ~ ', if(' ~ ratio ~ ' < 0.01, 1, 0))') }} || ' %'
{%- endmacro %}

{#- What a metric is called beside its value. -#}
{% macro quantity_name(metric) -%}
    case {{ metric }}
        when 'iops' then 'IOPS'
        when 'bytes_per_second' then 'throughput'
        when 'latency_mean_us' then 'mean latency'
        when 'latency_p99_us' then 'p99 latency'
    end
{%- endmacro %}

{#- The unit of a metric as labels know it: 'us' of 'latency_mean_us'. -#}
{% macro metric_unit(metric) -%}
    regexp_extract({{ metric }}, '(iops|bytes_per_second|us)$')
{%- endmacro %}
