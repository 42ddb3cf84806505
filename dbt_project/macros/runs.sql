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

{#- Each run with its description: a sidecar states the system of a run and overrides the file's
    load settings. An implausible result is not valid. -#}
{% macro described_runs() -%}
    select
        runs.* exclude (
            source_id, block_bytes, is_valid, validity_note, evidence_note, value_qualifier
        ) replace (
            coalesce(files.outstanding_io_count, runs.outstanding_io_count)
                as outstanding_io_count,
            coalesce(files.worker_count, runs.worker_count) as worker_count,
            nullif(concat_ws('; ', files.note, runs.note), '') as note
        ),
        files.* exclude (
            file_id, source_id, parser, path, source_key, outstanding_io_count, worker_count,
            random_ratio, read_ratio, block_bytes, note, memory_bytes,
            muted_rules, write_cache, array_state, link_state, thermal_state
        ) replace (
            coalesce(controllers.name, files.controller) as controller,
            coalesce(drives.name, files.drive) as drive
        ),
        files.path as source_path,
        coalesce(runs.value_qualifier, 'exact') as value_qualifier,
        false as is_derived,
        case
            when runs.is_valid
                then {{ implausibility(
                    'runs.block_bytes',
                    'coalesce(files.outstanding_io_count, runs.outstanding_io_count)',
                    [
                        'coalesce(files.outstanding_io_count, runs.outstanding_io_count)',
                        'coalesce(files.worker_count, runs.worker_count)', 'runtime_seconds'
                    ],
                    shares=['io_depth_reached_ratio']
                ) }}
        end as implausibility,
        implausibility is null as is_plausible,
        runs.is_valid and is_plausible as is_valid,
        nullif(concat_ws('; ', runs.validity_note, implausibility), '') as validity_note,
    from (
        select
            measurements.*,
            profiles.profile_id,
            profiles.profile_name,
            profiles.derived_settings,
            profiles.block_bytes,
        from {{ ref('int_fio__measurements') }} as measurements
        left join {{ ref('int_fio__profiles') }} as profiles using (measurement_id)
        union all by name
        select * from {{ ref('int_iometer__measurements') }}
        union all by name
        select
            * exclude (
                result_index, random_ratio, read_ratio, block_mix, is_direct, is_limited,
                ramp_seconds, io_count, error_count, cpu_ratio, fault, percentile_ratios,
                percentile_latencies_us, file_count, is_rounded
            )
        from {{ ref('int_generic__measurements') }}
    ) as runs
    inner join {{ ref('stg_files') }} as files using (source_id)
    left join {{ ref('int_own_names') }} as controllers
        on controllers.kind = 'controller' and files.controller = controllers.own_name
    left join {{ ref('int_own_names') }} as drives
        on drives.kind = 'drive' and files.drive = drives.own_name
{%- endmacro %}

{#- Whether a run's rates are its IOPS, else its throughput: a log that was cut, or has longer
    intervals, lacks some of them. Never both in one run. -#}
{% macro is_of_iops() -%}
    count(iops) over (partition by measurement_id)
    >= count(bytes_per_second) over (partition by measurement_id)
{%- endmacro %}
