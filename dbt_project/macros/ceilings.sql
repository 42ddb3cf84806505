{#- The share of a link's rate left after protocol overhead: the mean in Fujitsu 2016, p. 6. -#}
{% macro practical_ratio() -%} 0.9 {%- endmacro %}

{#- Whether a back-test must not see a point: the tested value itself, any value on its page, or the
    same value printed again; for own runs, any value of the same array. -#}
{% macro is_left_out(point, tested) -%}
    if(
        {{ tested }}.document_id is null,
        {{ point }}.array_id = {{ tested }}.array_id,
        {{ point }}.document_id = {{ tested }}.document_id
        and (
            {{ point }}.page is not distinct from {{ tested }}.page
            or {{ point }}.profile_id = {{ tested }}.profile_id
            and coalesce({{ point }}.bytes_per_second, {{ point }}.iops)
            = coalesce({{ tested }}.bytes_per_second, {{ tested }}.iops)
        )
    )
{%- endmacro %}

{#- The measurements that predictions are tested on: the best value of an array and profile on each
    page, and the best of own runs. One outstanding I/O shows the latency, not the limit; a lower
    bound does not show how far off a prediction is. -#}
{% macro back_tests() -%}
    select *
    from {{ ref('fct_measurements') }}
    where
        is_valid
        and not is_derived
        and value_qualifier in ('exact', 'approximate', 'at_most')
        and coalesce(outstanding_io_count != 1, true)
        and not has_own_processor
        and coalesce(iops, bytes_per_second) is not null
        and is_example is not true
        and combined_id is null
    qualify
        row_number() over (
            partition by array_id, profile_id, document_id, page
            order by coalesce(bytes_per_second, iops) desc, measurement_id asc
        ) = 1
{%- endmacro %}

{#- The derivation of a limit of links or drives, from a row of int_limits: '8 drives x 55865 IO/s /
    (0.67 for reads + 1.32 for writes per I/O)', since a write to parity also reads, and '8 x SAS
    12G / max(1.33 read, 0.66 written per byte), 90 % in practice'. Null if there is none. -#}
{% macro derivation_label(limit, rated_by="'data sheet'") -%}
    {%- set is_of_operations -%}
        {{ limit }}.derivation = 'measured' and {{ limit }}.member_iops > 0
    {%- endset %}
    if(
        {{ limit }}.missing_reason is not null, null,
        if(
            {{ limit }}.link is null,
            {{ counted(short(limit ~ '.member_count'), 'drive') }} || ' x ',
            if({{ limit }}.member_count = 1, '', {{ short(limit ~ '.member_count') }} || ' x ')
        )
        || coalesce(
            {{ limit }}.link,
            {{ whole(limit ~ '.member_iops') }} || ' IO/s',
            {{ whole(limit ~ '.member_bytes_per_second') }} || ' B/s'
        )
        || case {{ limit }}.derivation
            when 'rated' then ' (' || {{ rated_by }} || ')'
            when 'printed saturation' then ', too few to saturate the controller'
            else ''
        end
        || if(
            {{ limit }}.read_factor + {{ limit }}.write_factor = 1
            and {{ limit }}.read_factor in (0, 1), '',
            ' / '
            || if(
                {{ limit }}.is_full_duplex and {{ limit }}.read_factor * {{ limit }}.write_factor > 0,
                'max(', '('
            )
            || concat_ws(
                if({{ limit }}.is_full_duplex, ', ', ' + '),
                nullif({{ short(limit ~ '.read_factor') }}, '0')
                || if({{ is_of_operations }}, ' for reads', ' read'),
                nullif({{ short(limit ~ '.write_factor') }}, '0')
                || if({{ is_of_operations }}, ' for writes', ' written')
            )
            || if({{ limit }}.member_iops is null, ' per byte)', ' per I/O)')
        )
        || if(
            {{ limit }}.practical_ratio < 1,
            ', ' || {{ whole('100 * ' ~ limit ~ '.practical_ratio') }} || ' % in practice', ''
        )
    )
{%- endmacro %}

{#- The same for any limit; for a controller's, the printed value and source of its measurement
    `point`: 'published: up to 133000 IO/s (RAID Controller Performance 2016, p. 49)'. -#}
{% macro limit_label(limit, point, rated_by="'data sheet'") -%}
    if(
        {{ limit }}.ceiling_kind = 'controller',
        'published: ' || {{ point }}.as_printed || ' (' || {{ point }}.source_label || ')'
        || case {{ limit }}.known_from
            when 'cheaper level'
                then ', of ' || {{ point }}.raid_level || ', which costs the controller less'
            when 'twin' then ', of ' || {{ point }}.controller || ', which has the same limits'
            when 'reads' then ', of reads alone'
            when 'writes' then ', of writes alone'
            else ''
        end,
        {{ derivation_label(limit, rated_by) }}
    )
{%- endmacro %}

{#- One limit of an array's drives: `count` drives times the IOPS or bytes per second of each, over
    the reads and writes that one I/O or byte of the application costs them. -#}
{% macro drive_limit(
    derivation, count, iops='null', bytes='null', read='0', written='0', source='null'
) -%}
    struct_pack(
        derivation := '{{ derivation }}',
        member_count := cast({{ count }} as double),
        member_iops := cast({{ iops }} as double),
        member_bytes_per_second := cast({{ bytes }} as double),
        read_factor := cast({{ read }} as double),
        write_factor := cast({{ written }} as double),
        source_measurement_id := cast({{ source }} as varchar)
    )
{%- endmacro %}
