{#- What protocols leave of a link's rate: the mean that Fujitsu 2016 found, page 5. -#}
{% macro practical_ratio() -%} 0.9 {%- endmacro %}

{#- The generation of SAS or SATA that a text such as 'SATA 6G, SAS 12G' names at its fastest; a
    speed may stand apart ('SAS', '6 Gb/s'). -#}
{% macro fastest_disk_interface(interfaces, speed) -%}
    case
        when {{ interfaces }} like '%SAS%' then 'SAS '
        when {{ interfaces }} like '%SATA%' then 'SATA '
    end
    || coalesce(
        nullif(regexp_extract({{ speed }}, '^([\d.]+)', 1), ''),
        regexp_replace(
            cast(
                list_max(
                    list_transform(
                        regexp_extract_all({{ interfaces }}, '([\d.]+)[ -]?G', 1),
                        lambda number: try_cast(number as decimal(5, 1))
                    )
                ) as varchar
            ), '[.]0$', ''
        )
    )
    || 'G'
{%- endmacro %}

{#- Whether one RAID level costs the controller less than another: no more copies, parity drives and
    operations for each random write, and fewer of one of them. Rows of raid_levels.csv. -#}
{% macro does_less_work(cheaper, costlier) -%}
    {{ cheaper }}.raid_level != 'JBOD'
    and {{ cheaper }}.copy_count <= {{ costlier }}.copy_count
    and {{ cheaper }}.parity_drive_count <= {{ costlier }}.parity_drive_count
    and {{ cheaper }}.random_write_operation_count <= {{ costlier }}.random_write_operation_count
    and ({{ cheaper }}.copy_count, {{ cheaper }}.parity_drive_count, {{ cheaper }}.random_write_operation_count)
    != ({{ costlier }}.copy_count, {{ costlier }}.parity_drive_count, {{ costlier }}.random_write_operation_count)
{%- endmacro %}

{#- Whether a back-test must not see a point: it is the tested value itself, stands on its page, or
    says the same value again; of own runs, it is of the same array. -#}
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
