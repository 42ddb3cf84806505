{#- Values of two subjects at one load, side by side; a factor only where nothing but the subjects
    differs. With dbt_project/macros; `headroom/compare.py` says what the parameters are. -#}
{%- set of_load = {'outstanding_io_count': 'outstanding I/Os', 'condition': 'condition'} -%}
{%- set of_tool = {
    'tool_name': 'tool', 'worker_count': 'workers', 'io_engine': 'I/O engine',
    'file_size_bytes': 'file size', 'requested_runtime_seconds': 'runtime',
} -%}
{%- set of_system = {
    'controller': 'controller', 'raid_level': 'RAID level', 'drive_media': 'medium',
    'drive': 'drive', 'drive_count': 'drives',
} -%}
{%- set told_only = {'server': 'host', 'stripe_bytes': 'stripe'} -%}
{%- set of_source = {'job': 'job', 'place': 'place', 'document_id': 'source'} -%}
{%- set versions = {
    'tool_version': 'tool version', 'controller_firmware': 'controller firmware',
    'drive_firmware': 'drive firmware', 'filesystem': 'file system', 'os_name': 'system',
    'os_kernel': 'kernel', 'bios_version': 'BIOS',
} -%}
{%- set wanted = {
    'outstanding_io_count': 'outstanding I/Os', 'drive': 'drives', 'raid_level': 'RAID level',
} -%}
{%- set settings = (of_load | list) + (of_tool | list) + (of_system | list) + (told_only | list)
    + (of_source | list) -%}
{%- macro text(column) -%}
    {%- if column.endswith('_bytes') %}{{ size_label(column) }}
    {%- elif column.endswith('_seconds') %}{{ short(column) }} || ' s'
    {%- else %}{{ column }}::varchar
    {%- endif -%}
{%- endmacro -%}
{%- macro both(column, label) -%}
    '{{ label }} ' || coalesce({{ text('a.' ~ column) }}, 'not reported') || ' and '
    || coalesce({{ text('b.' ~ column) }}, 'not reported')
{%- endmacro -%}

with sides as (
    select
        'a' as side,
        $a_kind as kind,
        $a_name as name
    union all
    select
        'b' as side,
        $b_kind as kind,
        $b_name as name
),

points as (
    select
        sides.side,
        measurements.*,
        if(document_id is null, regexp_replace(source_position, '^line [0-9]+ ', ''), null) as job,
        -- files of a system that nobody describes are alike where their names are
        if(
            coalesce(controller, drive, server, document_id) is null,
            regexp_replace(
                if(
                    sides.kind = 'folder',
                    rtrim(replace(source_path || '/', sides.name || '/', ''), '/'), source_path
                ), '[0-9]{4,}([-_.:T/]?[0-9]{2})*', '*', 'g'
            ), null
        ) as place,
    from measurements
    inner join sides
        on case sides.kind
            when 'controller' then measurements.controller = sides.name
            when 'drive' then measurements.drive = sides.name
            when 'array' then measurements.array_label = sides.name
            when 'document' then measurements.document_id = sides.name
            when 'host' then measurements.server = sides.name
            when 'folder'
                then
                    measurements.document_id is null
                    and starts_with(measurements.source_path || '/', sides.name || '/')
        end
    where
        is_valid
        and not is_derived
        and coalesce(profile_id = $profile, $profile is null)
        and coalesce(measured_at >= $since, $since is null or document_id is not null)
    -- what is of both says nothing of their difference
    qualify count(*) over (partition by measurement_id) = 1
),

metrics as (
    select
        *,
        unnest([
            {'metric': headline_metric, 'value': headline_value},
            {'metric': 'latency_mean_us', 'value': latency_mean_us},
            {'metric': 'latency_p99_us', 'value': latency_p99_us}
        ], recursive := true),
    from points
),

-- runs that repeat each other are one value; what is printed stands alone
repeats as (
    select
        side,
        metric,
        profile_id,
        any_value(profile_label) as profile_label,
        array_label,
        {{ settings | join(', ') }},
        value_qualifier,
        if(document_id is null, null, value) as printed_value,
        string_agg(distinct pages, ', ' order by pages) as pages,
        median(value) as value,
        min(value) as min_value,
        max(value) as max_value,
        count(*) as run_count,
        list(value order by measured_at desc, measurement_id asc)[:300] as run_values,
        {%- for version in versions %}
        string_agg(distinct {{ version }}, ' / ' order by {{ version }}) as {{ version }},
        {%- endfor %}
    from metrics
    where value > 0
    group by all
),

pairs as (
    select
        a,
        b,
        list_filter([
            {%- for column, label in of_load.items() %}
            if(a.{{ column }} is distinct from b.{{ column }}, {{ both(column, label) }}, null),
            {%- endfor %}
            {%- for column, label in of_tool.items() %}
            if(a.{{ column }} != b.{{ column }}, {{ both(column, label) }}, null),
            {%- endfor %}
            {%- for column, label in of_system.items() %}
            if(
                list_contains($same, '{{ column }}')
                and a.{{ column }} is distinct from b.{{ column }}, {{ both(column, label) }}, null
            ),
            {%- endfor %}
        ], lambda difference: difference is not null) as obstacles,
        list_filter([
            {%- for column, label in (of_system.items() | list) + (told_only.items() | list) %}
            if(
                not list_contains($same, '{{ column }}')
                and not list_contains($subjects, '{{ column }}')
                and a.{{ column }} is distinct from b.{{ column }}, {{ both(column, label) }}, null
            ),
            {%- endfor %}
            {%- for column, label in of_tool.items() %}
            if(
                (a.{{ column }} is null) != (b.{{ column }} is null),
                {{ both(column, label) }}, null
            ),
            {%- endfor %}
            {%- for column, label in (of_source.items() | list) + (versions.items() | list) %}
            if(
                not list_contains($subjects, '{{ column }}') and a.{{ column }} != b.{{ column }},
                {{ both(column, label) }}, null
            ),
            {%- endfor %}
        ], lambda difference: difference is not null) as differences,
    from repeats as a
    inner join repeats as b using (profile_id, metric)
    where a.side = 'a' and b.side = 'b'
),

-- of each load the pairs that are most alike; without any, the nearest miss
chosen as (
    select
        *,
        len(obstacles) = 0 as is_comparable,
        bool_or(is_comparable) over (partition by a.profile_id, a.metric) as has_comparable,
    from pairs
    qualify
        is_comparable = has_comparable
        and rank() over (
            partition by
                a.profile_id, a.metric, a.outstanding_io_count, a.condition, a.array_label
            order by len(obstacles) asc, len(differences) asc
        ) = 1
        and (
            is_comparable
            or a.metric not like 'latency%' and row_number() over (
                partition by a.profile_id, is_comparable
                order by len(obstacles) asc, len(differences) asc, a asc, b asc
            ) = 1
        )
),

-- Of all m x n ratios of two runs the k-th least and the k-th greatest bound the factor, whatever
-- the noise is distributed like; k is the normal approximation of the ranks' own distribution.
measured as (
    select
        *,
        {{ metric_unit('a.metric') }} as unit,
        b.value / a.value as factor,
        if(a.document_id is null, len(a.run_values), null) as a_count,
        if(b.document_id is null, len(b.run_values), null) as b_count,
        cast(floor(
            a_count * b_count / 2 + 0.5
            - 1.959964 * sqrt(a_count * b_count * (a_count + b_count + 1) / 12)
        ) as bigint) as margin,
        if(
            is_comparable and margin >= 1,
            list_sort(flatten(list_transform(
                a.run_values,
                lambda x: list_transform(b.run_values, lambda y: y / x)
            ))), null
        ) as factors,
        factors[margin] as low_factor,
        factors[len(factors) + 1 - margin] as high_factor,
        low_factor <= 1 and high_factor >= 1 as is_within_noise,
        {{ factor_mark(
            'b.value_qualifier', 'a.value_qualifier', 'a.document_id = b.document_id',
            'coalesce(is_within_noise, false)'
        ) }} || {{ times_label('factor') }} as marked_factor,
    from chosen
)

select
    concat_ws(
        ', ', {{ profile_name('a.profile_label') }},
        if(a.raid_level = b.raid_level, a.raid_level, null),
        if(
            a.drive = b.drive and a.drive_count = b.drive_count, a.drive_count || ' x ' || a.drive,
            null
        ),
        if(
            a.outstanding_io_count = b.outstanding_io_count,
            {{ counted('a.outstanding_io_count', 'outstanding I/O') }}, null
        ),
        if(a.condition = b.condition, a.condition, null)
    ) as setting,
    {{ quantity_name('a.metric') }} as quantity,
    {%- for side in ['a', 'b'] %}
    {{ mark(side ~ '.value_qualifier') }}
    || {{ rounded_label(side ~ '.value', 'unit') }}
        as {{ side }}_label,
    case
        when {{ side }}.document_id is not null
            then concat_ws(', ', {{ side }}.document_id, 'p. ' || {{ side }}.pages)
        when {{ side }}.run_count = 1 then '1 run'
        else
            'median of ' || {{ side }}.run_count || ', '
            || {{ rounded_label(side ~ '.min_value', 'unit') }} || ' to '
            || {{ rounded_label(side ~ '.max_value', 'unit') }}
    end as {{ side }}_basis,
    {%- endfor %}
    case
        when not is_comparable then 'not comparable'
        when marked_factor is null then 'no factor: both are bounds'
        else marked_factor || if(
            a.value_qualifier = 'at_most' and b.value_qualifier = 'at_most', ', of maxima', ''
        ) || if(is_within_noise, ', within noise', '')
    end as factor_label,
    case
        when not is_comparable or marked_factor is null then null
        when low_factor is not null
            then
                {{ short(three_digits('low_factor')) }} || ' to '
                || {{ times_label('high_factor') }}
        when coalesce(a.document_id, b.document_id) is not null then 'printed: no interval'
        when a.run_count = 1 and b.run_count = 1 then '1 run a side: no interval'
        else
            {{ counted('a.run_count', 'run') }} || ' and '
            || {{ counted('b.run_count', 'run') }} || ': no interval'
    end as interval_label,
    is_comparable,
    is_within_noise,
    if(is_comparable and marked_factor is not null, factor, null) as factor,
    low_factor,
    high_factor,
    array_to_string(obstacles, '; ') as obstacles,
    array_to_string(differences, '; ') as differences,
    array_to_string(list_filter([
        {%- for column, label in wanted.items() %}
        if(coalesce(a.{{ column }}, b.{{ column }}) is null, '{{ label }}', null),
        {%- endfor %}
    ], lambda label: label is not null), ', ') as not_stated,
    a.profile_id,
    a.metric,
    {%- for side in ['a', 'b'] %}
    {{ side }}.value as {{ side }}_value,
    {{ side }}.value_qualifier as {{ side }}_qualifier,
    {{ side }}.min_value as {{ side }}_min_value,
    {{ side }}.max_value as {{ side }}_max_value,
    {{ side }}.run_count as {{ side }}_run_count,
    {{ side }}.document_id as {{ side }}_document_id,
    {{ side }}.pages as {{ side }}_pages,
    {%- endfor %}
from measured
order by
    is_comparable desc, a.profile_id, a.raid_level, a.drive, a.drive_count, a.condition,
    a.outstanding_io_count, a.metric, a.value, b.value
