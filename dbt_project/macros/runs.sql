{#- Where a system was measured that neither a controller nor a drive names. One description (a
    `headroom.yml` or a captured system) is of one system, whose devices tell its results apart;
    without any the file's name does, but for dates, times and build numbers. -#}
{% macro place(path) -%}
    case
        when coalesce(controller, drive) is not null then null
        when server is not null then device_names
        else concat_ws(
            ', ',
            regexp_replace(
                if(has_sidecar, rtrim({{ folder(path) }}, '/'), {{ path }}),
                '[0-9]{4,}([-_.:T/]?[0-9]{2})*', '*', 'g'
            ),
            if(has_sidecar, device_names, null)
        )
    end
{%- endmacro %}

{#- The job that a position names: 'jobs[0] database', 'ALL 4KiB' of 'line 12 ALL 4KiB'. -#}
{% macro job(position) -%}
    regexp_replace({{ position }}, '^line [0-9]+ ', '')
{%- endmacro %}

{#- Runs of the same system, load profile, outstanding I/Os and job, in words; null of papers. -#}
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

{#- Repeats of a run have one series_id: what the name has, and the rest that a file reports of the
    load. Whatever compares, or takes a median, goes by it. -#}
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
