{#- A path without dates, the times after them and seconds since 1970: '2026-11-20',
    '20261120T0200', '1795286740'. Other numbers belong to names: of models, nodes, ports. -#}
{% macro timeless(path) -%}
    regexp_replace(
        {{ path }},
        '20[0-9]{2}[-_./]?[01][0-9][-_./]?[0-3][0-9]([-_.:T/]?[0-9]{2})*Z?|[0-9]{10,}', '*', 'g'
    )
{%- endmacro %}

{#- The place of a result whose system has neither a controller nor a drive named. A description (a
    `headroom.yml` or a captured system) is of one system, and its devices tell results apart;
    without a description the file's path does. -#}
{% macro place(path) -%}
    case
        when coalesce(controller, drive) is not null then null
        when server is not null and device_names is not null then device_names
        when server is not null or has_sidecar
            then concat_ws(
                ', ', nullif({{ timeless("rtrim(" ~ folder(path) ~ ", '/')") }}, ''), device_names
            )
        else {{ timeless(path) }}
    end
{%- endmacro %}

{#- The job in a position: 'ALL 4KiB' of 'line 12 ALL 4KiB', 'jobs[0] database' of 'jobs[0..3]
    database' (processes without group_reporting). -#}
{% macro job(position) -%}
    regexp_replace(
        regexp_replace({{ position }}, '^line [0-9]+ ', ''), '\.\.[0-9]+\] ', '] ', 'g'
    )
{%- endmacro %}

{#- A name for runs of one system, load profile, outstanding I/Os and job; null for papers. -#}
{% macro series_name() -%}
    case
        when document_id is null
            then concat_ws(
                ', ',
                server,
                if(coalesce(controller_id, drive_id) is null, {{ place('source_path') }}, array_id),
                if(coalesce(controller_id, drive_id) is null, raid_level, null),
                profile_id,
                outstanding_io_count || ' outstanding I/Os',
                {{ job('source_position') }}
            )
    end
{%- endmacro %}

{#- Repeats of a run share one series_id: a hash of the series name and the other load settings that
    a file reports. Comparisons and medians group runs by it. -#}
{% macro series_id() -%}
    case
        when document_id is null
            then md5(
                cast(
                    row(
                        series_name, tool_name, worker_count, io_engine, condition, file_size_bytes,
                        requested_runtime_seconds
                    ) as varchar
                )
            )
    end
{%- endmacro %}

{#- The median of `run_count` runs in the unit of `headline_metric`, with its range:
    '53.303 kIOPS (44.643 kIOPS to 61.962 kIOPS, 2 runs)'. -#}
{% macro median_label(median, least, most) -%}
    {{ quantity_label(median, 'headline_metric') }}
    || ' (' || {{ quantity_label(least, 'headline_metric') }}
    || ' to ' || {{ quantity_label(most, 'headline_metric') }} || ', ' || run_count || ' runs)'
{%- endmacro %}
