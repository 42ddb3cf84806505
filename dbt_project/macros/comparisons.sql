{#- The mark before the factor between two values: nothing, ≈, ≥ or ≤. Null if no factor follows:
    both values are "at least", or "up to" in different papers. Two "up to" values of one paper are
    compared as maxima. The factor is not exact if repeated runs of one overlap the other value. -#}
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

{#- All ratios of a value in one list to a value in the other, in ascending order. -#}
{% macro all_ratios(values, baseline_values) -%}
    list_sort(flatten(list_transform(
        {{ baseline_values }}, lambda x: list_transform({{ values }}, lambda y: y / x)
    )))
{%- endmacro %}

{#- The position of the ratios, from both ends, that bound the factor at 95 % for noise of any
    distribution: the normal approximation of Mann and Whitney's ranks. Below 1: too few values. -#}
{% macro ratio_margin(count, baseline_count) -%}
    cast(floor(
        {{ count }} * {{ baseline_count }} / 2 + 0.5
        - 1.959964
        * sqrt({{ count }} * {{ baseline_count }} * ({{ count }} + {{ baseline_count }} + 1) / 12)
    ) as bigint)
{%- endmacro %}

{#- A number with three significant digits; null for 0 and numbers that are not finite. -#}
{% macro three_digits(number) -%}
    round({{ number }}, 2 - try_cast(floor(log10(nullif(abs({{ number }}), 0))) as integer))
{%- endmacro %}

{#- '4.63 x'. -#}
{% macro times_label(ratio) -%}
    {{ short(three_digits(ratio)) }} || ' x'
{%- endmacro %}

{#- A value with three significant digits, in the fixed unit of its metric: '0.302 kIOPS'. -#}
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

{#- A value with three significant digits in a fitting unit: '302 IOPS', '6.19 GB/s', '18.9 ms'. -#}
{% macro rounded_label(value, unit) -%}
    {{ quantity_label(three_digits(value), unit) }}
{%- endmacro %}

{#- A ratio in whole percents, below 1 % in tenths: '46 %', '0.4 %'. -#}
{% macro rounded_percent(ratio) -%}
    {{ short('round(100 * ' ~ ratio ~ ', if(' ~ ratio ~ ' < 0.01, 1, 0))') }} || ' %'
{%- endmacro %}

{#- A range of ratios in rounded percents: '≈ 20 % to 26 %', '25 %' if both ends are that. -#}
{% macro percent_range(low, high, is_approximate) -%}
    if({{ is_approximate }}, '≈ ', '') || {{ rounded_percent(low) }}
    || if(
        {{ rounded_percent(low) }} = {{ rounded_percent(high) }},
        '', ' to ' || {{ rounded_percent(high) }}
    )
{%- endmacro %}

{#- The name of a metric beside its value. -#}
{% macro quantity_name(metric) -%}
    case {{ metric }}
        when 'iops' then 'IOPS'
        when 'bytes_per_second' then 'throughput'
        when 'latency_mean_us' then 'mean latency'
        when 'latency_p99_us' then 'p99 latency'
    end
{%- endmacro %}

{#- The unit of a metric for labels: 'us' of 'latency_mean_us'. -#}
{% macro metric_unit(metric) -%}
    regexp_extract({{ metric }}, '(iops|bytes_per_second|us)$')
{%- endmacro %}
