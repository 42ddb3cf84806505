{#- `headroom compare`, 1 of 3: the values of A and B, one for each load that a side measured or
    prints. Parameters: headroom/analyse/compare.py; macros: dbt_project/macros. -#}
{#- The facts about a value, in this order, with their labels. -#}
{%- set of_system = {
    'controller': 'controller', 'raid_level': 'RAID level', 'drive_media': 'medium',
    'drive': 'drive', 'drive_count': 'drives', 'server': 'host', 'stripe_bytes': 'stripe',
} -%}
{%- set of_load = {'outstanding_io_count': 'outstanding I/Os', 'condition': 'condition'} -%}
{%- set of_tool = {
    'tool_name': 'tool', 'worker_count': 'workers', 'io_engine': 'I/O engine',
    'file_size_bytes': 'file size', 'requested_runtime_seconds': 'runtime',
} -%}
{%- set of_source = {'job': 'job', 'place': 'path', 'document_id': 'source'} -%}
{%- set versions = {
    'tool_version': 'tool version', 'controller_firmware': 'controller firmware',
    'drive_firmware': 'drive firmware', 'filesystem': 'file system', 'os_name': 'system',
    'os_kernel': 'kernel', 'bios_version': 'BIOS',
} -%}
{%- set of_run = dict(dict(dict(of_system, **of_load), **of_tool), **of_source) -%}
{%- set facts = dict(of_run, **versions) -%}

with sides (side, kind, name) as (values ('a', $a_kind, $a_name), ('b', $b_kind, $b_name)),

matched as (
    select
        sides.side,
        sides.kind,
        measurements.*,
        if(document_id is null, {{ job('source_position') }}, null) as job,
        if(
            sides.kind = 'folder',
            rtrim(replace(source_path || '/', sides.name || '/', ''), '/'), source_path
        ) as path_in_subject,
        if(document_id is null, {{ place('path_in_subject') }}, null) as place,
        verdicts.verdict || ' (' || verdicts.reason || ')' as run_verdict,
        verdicts.verdict != 'trusted' as is_doubted,
        count(*) over (partition by measurement_id) > 1 as is_of_both,
        bool_or(is_superseded is not true) over (partition by sides.side) as has_more_than_examples,
    from rpt_measurements as measurements
    left join (select measurement_id, device_names from fct_measurements) as facts
        using (measurement_id)
    left join rpt_run_verdicts as verdicts using (measurement_id)
    inner join sides
        on if(sides.side = 'a', {{ results.a }}, {{ results.b }})
    where
        is_valid
        and not is_derived
        and headline_value > 0
        and coalesce(profile_id = $profile, $profile is null)
        and coalesce(measured_at >= $since, $since is null or document_id is not null)
),

-- A subject that is part of the other one is compared with the rest of the other.
within_the_other as (
    select side
    from matched
    group by side
    having bool_and(is_of_both)
),

results as (
    from matched
    where
        (is_superseded is not true or not has_more_than_examples)
        and (
            not is_of_both
            or side in (from within_the_other) and (select count(*) = 1 from within_the_other)
        )
),

-- Repeated runs are one value; so is a value that a document prints twice.
series as (
    select
        side,
        profile_id,
        coalesce(
            series_id,
            concat_ws('|', document_id, array_label, condition, outstanding_io_count, worker_count,
                value_qualifier, headline_value)
        ) as series,
        concat_ws('|', side, profile_id, series) as load_id,
        {%- for column in [
            'profile_short_label', 'headline_metric', 'array_label', 'value_qualifier',
            'has_own_processor', 'ceiling_scope',
        ] + (of_run | list) %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        {%- for column in versions %}
        string_agg(distinct {{ column }}, ' / ' order by {{ column }}) as {{ column }},
        {%- endfor %}
        any_value(if(kind = 'folder', null, rtrim({{ folder('source_path') }}, '/'))) as folder,
        count(*) as run_count,
        bool_or(has_sidecar) as has_sidecar,
        bool_or(
            outstanding_io_count is null
            and (
                limit_of is not null or value_qualifier = 'at_most' or condition like '%maximum%'
            )
        ) as is_printed_maximum,
        string_agg(distinct pages, ', ' order by pages) as pages,
        median(headline_value) as headline_value,
        median(attained_ratio) as attained_ratio,
        if(
            run_count > 1, count_if(is_doubted) || ' of ' || run_count || ' runs, the newest: ', ''
        ) || arg_max(run_verdict, (measured_at, measurement_id)) filter (is_doubted) as doubt,
        [
            {%- for metric, column in [
                ('any_value(headline_metric)', 'headline_value'),
                ("'latency_mean_us'", 'latency_mean_us'), ("'latency_p99_us'", 'latency_p99_us'),
            ] %}
            {
                'metric': {{ metric }},
                'run_values': list({{ column }} order by measured_at desc, measurement_id asc)
                    filter ({{ column }} > 0)[:300]
            },
            {%- endfor %}
        ] as quantities,
    from results
    group by all
),

loads as (
    select
        * exclude (quantities),
        map {
            {%- for column, label in facts.items() %}
            '{{ label }}':
                {%- if column.endswith('_bytes') %} {{ size_label(column) }},
                {%- elif column.endswith('_seconds') %} {{ short(column) }} || ' s',
                {%- else %} {{ column }}::varchar,
                {%- endif -%}
            {%- endfor %}
        } as texts,
        count(distinct (outstanding_io_count, worker_count)) over of_array as load_count,
        max(outstanding_io_count) over of_array as most_io_count,
        is_printed_maximum or document_id is null and load_count >= 3 as is_maximum,
        document_id is null and has_sidecar is false and server is null and count(distinct place)
            over (partition by side, profile_id, outstanding_io_count, worker_count, job) > 1
            as is_one_of_places,
        row_number() over (of_array order by has_own_processor asc, headline_value desc, series asc)
            = 1 as is_highest,
    from series
    window
        of_array as (
            partition by
                side, profile_id, array_label, server, place, document_id,
                if(document_id is null, condition, null)
        )
),
