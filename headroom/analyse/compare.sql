{#- Values of two subjects side by side: at the same load, or else the maximum of each. With a factor
    if nothing but the subjects differs. Uses dbt_project/macros; parameters: headroom/analyse/compare.py. -#}
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
{%- set of_source = {'job': 'job', 'place': 'path', 'document_id': 'source'} -%}
{%- set versions = {
    'tool_version': 'tool version', 'controller_firmware': 'controller firmware',
    'drive_firmware': 'drive firmware', 'filesystem': 'file system', 'os_name': 'system',
    'os_kernel': 'kernel', 'bios_version': 'BIOS',
} -%}
{%- set told = dict(
    (of_system.items() | list) + (told_only.items() | list) + (of_load.items() | list)
    + (of_tool.items() | list) + (of_source.items() | list) + (versions.items() | list)
) -%}
{%- set wanted = {
    'outstanding_io_count': 'outstanding I/Os', 'drive': 'drives', 'raid_level': 'RAID level',
} -%}
{%- set settings = (of_load | list) + (of_tool | list) + (of_system | list) + (told_only | list)
    + (of_source | list) -%}
{%- set latencies = ['latency_mean_us', 'latency_p99_us'] -%}
{%- set telling_apart = (of_system | list) + (told_only | list) + (of_tool | list)
    + (of_source | list) -%}
{#- When a column must be the same on both sides. -#}
{%- set must_match = dict(
    dict.fromkeys([] if 'tool_name' in subjects else of_tool, 'is_of_one_load'), condition='(is_own or is_of_one_load)',
    **dict.fromkeys(same, 'true')
) -%}

{%- set of_compared = dict(of_system.items() | selectattr(0, 'in', same)) -%}
{%- set not_subject = dict(told.items() | rejectattr(0, 'in', subjects)) -%}
{%- set one_sided = dict(
    not_subject.items() | rejectattr(0, 'in', of_source) | rejectattr(0, 'eq', 'outstanding_io_count')
) -%}

{#- A list of the labels of those columns for which the condition holds; @ is the column. -#}
{%- macro labels_where(labels, condition) -%}
    list_filter([
        {%- for column, label in labels.items() %}
        if(
            {{ condition | replace('@must_match', must_match.get(column, 'false'))
                | replace('@', column) }}, '{{ label }}', null
        ),
        {%- endfor %}
    ], lambda label: label is not null)
{%- endmacro -%}
{%- macro both_values(labels) -%}
    array_to_string(list_transform({{ labels }}, lambda label:
        label || ' ' || coalesce(a.texts[label], 'not reported')
        || ' and ' || coalesce(b.texts[label], 'not reported')
    ), '; ')
{%- endmacro -%}

with sides (side, kind, name) as (values ('a', $a_kind, $a_name), ('b', $b_kind, $b_name)),

matched as (
    select
        sides.side,
        sides.kind,
        measurements.*,
        profiles.profile_short_label,
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
    left join dim_load_profiles as profiles using (profile_id)
    left join rpt_run_verdicts as verdicts using (measurement_id)
    inner join sides
        on case sides.kind
            when 'controller' then measurements.controller = sides.name
            when 'drive' then measurements.drive = sides.name
            when 'array' then measurements.array_label = sides.name
            when 'document' then measurements.document_id = sides.name
            when 'host' then measurements.server = sides.name
            when 'tool'
                then measurements.document_id is null and measurements.tool_name = sides.name
            when 'folder'
                then
                    measurements.document_id is null
                    and starts_with(measurements.source_path || '/', sides.name || '/')
        end
    where
        is_valid
        and not is_derived
        and headline_value > 0
        and coalesce(profile_id = $profile, $profile is null)
        and coalesce(measured_at >= $since, $since is null or document_id is not null)
),

-- A subject within the other one is compared with the rest of it.
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

-- Repeated runs are one value, and so is what a document prints twice.
series as (
    select
        side,
        profile_id,
        coalesce(
            series_id,
            concat_ws('|', document_id, array_label, condition, outstanding_io_count, worker_count,
                value_qualifier, headline_value)
        ) as series,
        any_value(profile_short_label) as profile_short_label,
        any_value(headline_metric) as headline_metric,
        any_value(array_label) as array_label,
        {%- for column in settings %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        any_value(value_qualifier) as value_qualifier,
        any_value(has_own_processor) as has_own_processor,
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
        any_value(ceiling_scope) as ceiling_scope,
        median(attained_ratio) as attained_ratio,
        if(
            run_count > 1, count_if(is_doubted) || ' of ' || run_count || ' runs, the newest: ', ''
        ) || arg_max(run_verdict, (measured_at, measurement_id)) filter (is_doubted) as doubt,
        {%- for column in ['headline_value'] + latencies %}
        list({{ column }} order by measured_at desc, measurement_id asc)
            filter ({{ column }} > 0)[:300] as {{ column }}s,
        {%- endfor %}
        {%- for version in versions %}
        string_agg(distinct {{ version }}, ' / ' order by {{ version }}) as {{ version }},
        {%- endfor %}
    from results
    group by all
),

loads as (
    select
        * exclude (headline_values, latency_mean_uss, latency_p99_uss),
        map {
            {%- for column, label in told.items() %}
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

pairs as (
    select
        'same load' as pair_kind,
        a,
        b,
    from loads as a
    inner join loads as b
        on
            a.profile_id = b.profile_id
            and a.outstanding_io_count is not distinct from b.outstanding_io_count
    where a.side = 'a' and b.side = 'b'
    union all
    select
        'maxima' as pair_kind,
        a,
        b,
    from loads as a
    inner join loads as b using (profile_id)
    where a.side = 'a' and b.side = 'b' and a.is_highest and b.is_highest
),

-- What must match and does not (an obstacle) or is known of one side only (an unknown) forbids a
-- factor. There may be millions of pairs: only the columns that rank them are kept.
judged as (
    select
        a.profile_id,
        a.series as a_series,
        b.series as b_series,
        a.array_label as a_array_label,
        b.array_label as b_array_label,
        b.headline_value as b_headline_value,
        a.outstanding_io_count,
        a.condition,
        a.raid_level = b.raid_level as is_of_one_level,
        pair_kind,
        pair_kind = 'same load' as is_of_one_load,
        a.is_maximum and b.is_maximum as is_of_maxima,
        coalesce(a.document_id, b.document_id) is null as is_own,
        (a.document_id is null, b.document_id is null) as sources,
        (a.condition is null) != (b.condition is null) as is_one_condition,
        {{ labels_where(told, '@must_match and a.@ != b.@') }}
        || if(is_own and is_one_condition, ['condition'], []) as obstacles,
        {{ labels_where(of_compared, '(a.@ is null) != (b.@ is null)') }}
        || if(is_of_one_load and not is_own and is_one_condition, ['condition'], []) as unknowns,
        {{ labels_where(not_subject, 'not @must_match and a.@ != b.@') }} as differences,
    from pairs
),

graded as (
    select
        *,
        len(obstacles) as obstacle_count,
        len(unknowns) as unknown_count,
        len(differences) as difference_count,
        obstacle_count = 0 and unknown_count = 0 and (
            is_of_one_load or is_of_maxima
        ) as is_comparable,
        case
            when is_of_one_load and is_comparable then 1
            when is_comparable then 2
            when is_of_one_load and outstanding_io_count is not null then 3
            when not is_of_one_load then 4
        end as grade,
    from judged
),

-- For each array, among measured and among printed values: its most similar pairs at the same load,
-- or else of maxima.
nearest as (
    select *
    from graded
    where grade is not null
    qualify
        grade = min(grade) over (partition by profile_id, a_array_label, sources)
        and case
            when grade = 1
                then rank() over (
                    partition by
                        grade, profile_id, a_array_label, sources, outstanding_io_count,
                        condition
                    order by difference_count
                )
            else row_number() over (
                partition by grade, profile_id, a_array_label, sources
                order by
                    obstacle_count asc, is_of_one_level desc nulls last,
                    unknown_count asc, difference_count asc, b_headline_value desc, b_series asc
            )
        end = 1
),

-- A pair with an obstacle only if a load profile has no other, and each array of B only in its best
-- pairs.
kept as (
    select *
    from nearest
    qualify
        grade = min(grade) over (partition by profile_id, b_array_label)
        and (
            obstacle_count = 0
            or row_number() over (
                partition by profile_id, sources
                order by
                    obstacle_count > 0, grade, obstacle_count, unknown_count, difference_count,
                    a_series, b_series
            ) = 1
        )
),

chosen as (
    select
        kept.* exclude (
            profile_id, outstanding_io_count, condition, a_array_label, b_array_label, obstacles,
            unknowns, differences
        ),
        a,
        b,
        {%- for name in ['obstacles', 'unknowns', 'differences'] %}
        {{ both_values(name) }} as {{ name }},
        {%- endfor %}
        {%- for side, other in [('a', 'b'), ('b', 'a')] %}
        array_to_string(list_transform(
            {{ labels_where(
                one_sided,
                'not @must_match and ' ~ side ~ '.@ is not null and ' ~ other ~ '.@ is null'
            ) }},
            lambda label: label || ' ' || {{ side }}.texts[label]
        ), '; ') as only_{{ side }},
        {%- endfor %}
        concat_ws(
            ', ', a.profile_short_label,
            if(a.raid_level = b.raid_level, a.raid_level, null),
            if(
                a.drive = b.drive,
                coalesce(if(a.drive_count = b.drive_count, a.drive_count, null) || ' x ', '')
                || a.drive, null
            ),
            if(
                is_of_one_load, {{ counted('a.outstanding_io_count', 'outstanding I/O') }},
                if(a.is_maximum and b.is_maximum, 'maxima over all loads', 'no common load')
            ),
            if(a.condition = b.condition, a.condition, null)
        ) as common_setting,
    from kept
    inner join loads as a
        on a.side = 'a' and kept.profile_id = a.profile_id and kept.a_series = a.series
    inner join loads as b
        on b.side = 'b' and kept.profile_id = b.profile_id and kept.b_series = b.series
),

quantities as (
    select
        chosen.*,
        unnest([
            {
                'metric': a.headline_metric,
                'a_values': of_a.headline_values, 'b_values': of_b.headline_values
            },
            {%- for latency in latencies %}
            {
                'metric': '{{ latency }}',
                'a_values': of_a.{{ latency }}s, 'b_values': of_b.{{ latency }}s
            },
            {%- endfor %}
        ]) as quantity,
        concat_ws(
            ', ', common_setting
            {%- for column in telling_apart %},
            if(
                count(distinct (a.{{ column }}, b.{{ column }})) over (partition by common_setting)
                > 1,
                '{{ told[column] }} ' || nullif(concat_ws(
                    ' and ', a.texts['{{ told[column] }}'],
                    if(a.{{ column }} = b.{{ column }}, null, b.texts['{{ told[column] }}'])
                ), ''), null
            )
            {%- endfor %}
        ) as setting,
    from chosen
    inner join series as of_a
        on of_a.side = 'a' and a.profile_id = of_a.profile_id and a.series = of_a.series
    inner join series as of_b
        on of_b.side = 'b' and b.profile_id = of_b.profile_id and b.series = of_b.series
),

measured as (
    select
        *,
        quantity.metric as metric,
        {{ metric_unit('metric') }} as unit,
        quantity.a_values as a_values,
        quantity.b_values as b_values,
        list_median(a_values) as a_value,
        list_median(b_values) as b_value,
        len(a_values) as a_run_count,
        len(b_values) as b_run_count,
        b_value / a_value as ratio,
        {{ ratio_margin('b_run_count', 'a_run_count') }} as margin,
        if(grade = 1 and is_own and margin >= 1, {{ all_ratios('b_values', 'a_values') }}, null)
            as factors,
        factors[margin] as low_factor,
        factors[len(factors) + 1 - margin] as high_factor,
        low_factor <= 1 and high_factor >= 1 as is_within_noise,
        -- of maxima, a printed "up to" is exact
        if(grade = 2 and a.value_qualifier = 'at_most', 'exact', a.value_qualifier) as a_mark,
        if(grade = 2 and b.value_qualifier = 'at_most', 'exact', b.value_qualifier) as b_mark,
        {{ factor_mark(
            'b_mark', 'a_mark', 'a.document_id = b.document_id',
            'coalesce(is_within_noise, false)'
        ) }} || {{ times_label('ratio') }} as marked_factor,
        is_comparable and (grade = 1 or metric = a.headline_metric) as has_factor,
    from quantities
    where len(quantity.a_values) > 0 and len(quantity.b_values) > 0
),

-- In three digits, each once: a label names its value many times.
rounded as (
    select
        *,
        {%- for side in ['a', 'b'] %}
        {{ three_digits(side ~ '_value') }} as {{ side }}_digits,
        {{ three_digits('list_min(' ~ side ~ '_values)') }} as {{ side }}_least_digits,
        {{ three_digits('list_max(' ~ side ~ '_values)') }} as {{ side }}_most_digits,
        {{ three_digits(side ~ '.headline_value') }} as {{ side }}_headline_digits,
        {{ metric_unit(side ~ '.headline_metric') }} as {{ side }}_headline_unit,
        {%- endfor %}
    from measured
),

-- The rest of B at load profiles with only maxima.
others as (
    select *
    from loads
    where
        side = 'b'
        and is_highest
        and profile_id in (select a.profile_id from chosen where grade > 1)
        and (profile_id, array_label) not in (select (b.profile_id, b.array_label) from chosen)
)

select
    pair_kind,
    setting,
    {{ quantity_name('metric') }} as quantity,
    {%- for side in ['a', 'b'] %}
    {{ mark(side ~ '.value_qualifier') }} || {{ quantity_label(side ~ '_digits', 'unit') }}
        as {{ side }}_label,
    if(
        {{ side }}.document_id is not null,
        concat_ws(', ', {{ side }}.document_id, 'p. ' || {{ side }}.pages),
        concat_ws(
            ', ',
            case
                when is_of_one_load then null
                when {{ side }}.load_count = 1
                    then {{ counted(side ~ '.outstanding_io_count', 'outstanding I/O') }}
                else
                    'best of ' || {{ side }}.load_count || ' loads: '
                    || {{ counted(side ~ '.outstanding_io_count', 'outstanding I/O') }}
            end,
            if(
                {{ side }}_run_count = 1, '1 run',
                'median of ' || {{ side }}_run_count || ', '
                || {{ quantity_label(side ~ '_least_digits', 'unit') }} || ' to '
                || {{ quantity_label(side ~ '_most_digits', 'unit') }}
            ),
            {{ side }}.folder
        )
    ) as {{ side }}_basis,
    {{ attained_label(
        side ~ '.ceiling_scope', side ~ '.value_qualifier', side ~ '.attained_ratio'
    ) }} as {{ side }}_share_label,
    {%- endfor %}
    case
        when obstacle_count > 0 then 'not comparable'
        when unknown_count > 0 then 'may not compare'
        when not is_comparable and a.is_maximum then 'no factor: B is no maximum'
        when not is_comparable and b.is_maximum then 'no factor: A is no maximum'
        when not is_comparable then 'no factor: loads may differ'
        when not has_factor then null
        when marked_factor is null then 'no factor: both are bounds'
        else marked_factor || if(
            grade = 2 or a.value_qualifier = 'at_most' and b.value_qualifier = 'at_most',
            ', of maxima', ''
        ) || if(is_within_noise, ', within noise', '')
    end as factor_label,
    case
        when not has_factor or marked_factor is null then null
        when low_factor is not null
            then
                {{ short(three_digits('low_factor')) }} || ' to '
                || {{ times_label('high_factor') }}
        when not is_own then 'printed: no interval'
        when grade = 2 then 'best of several loads: no interval'
        when a_run_count = 1 and b_run_count = 1 then '1 run a side: no interval'
        else
            {{ counted('a_run_count', 'run') }} || ' and '
            || {{ counted('b_run_count', 'run') }} || ': no interval'
    end as interval_label,
    is_comparable,
    is_within_noise,
    if(has_factor and marked_factor is not null, ratio, null) as factor,
    low_factor,
    high_factor,
    obstacles,
    unknowns,
    differences,
    only_a,
    only_b,
    array_to_string(
        {{ labels_where(wanted, 'coalesce(a.@::varchar, b.@::varchar) is null') }}, ', '
    ) as not_stated,
    a.doubt as a_doubt,
    b.doubt as b_doubt,
    array_to_string(list_filter([
        {%- for side, other, name in [('a', 'b', 'A'), ('b', 'a', 'B')] %}
        if(
            grade = 4 and obstacle_count + unknown_count = 0 and {{ other }}.is_maximum
            and {{ side }}.document_id is null and not {{ side }}.is_maximum,
            {{ mark(other ~ '.value_qualifier') }}
            || {{ quantity_label(other ~ '_headline_digits', other ~ '_headline_unit') }}
            || ' is a maximum over '
            || if({{ other }}.document_id is null, {{ other }}.load_count || ' loads', 'all loads')
            || ': run iodepth 1 to 256 for {{ name }} and compare again', null
        ),
        if(
            grade = 2 and {{ side }}.document_id is null
            and {{ side }}.outstanding_io_count = {{ side }}.most_io_count,
            '{{ name }} is best at its most outstanding I/Os: run more of them', null
        ),
        {%- for column in of_compared %}
        if(
            {{ side }}.{{ column }} is null and {{ other }}.{{ column }} is not null
            and {{ side }}.document_id is null,
            'add {{ column }} to the headroom.yml of {{ name }}', null
        ),
        {%- endfor %}
        if(
            {{ side }}.is_one_of_places,
            'files of {{ name }} at one load count as different systems: if they ran on one, '
            || 'add server to a headroom.yml beside them', null
        ),
        {%- endfor %}
    ], lambda hint: hint is not null), '; ') as remedy,
    a.profile_id,
    metric,
    {%- for side in ['a', 'b'] %}
    {{ side }}.array_label as {{ side }}_array_label,
    {{ side }}_value,
    {{ side }}.value_qualifier as {{ side }}_qualifier,
    list_min({{ side }}_values) as {{ side }}_min_value,
    list_max({{ side }}_values) as {{ side }}_max_value,
    {{ side }}_run_count,
    {{ side }}.outstanding_io_count as {{ side }}_outstanding_io_count,
    {{ side }}.attained_ratio as {{ side }}_attained_ratio,
    {{ side }}.document_id as {{ side }}_document_id,
    {{ side }}.pages as {{ side }}_pages,
    {%- endfor %}
    a.raid_level,
    a.drive,
    a.drive_count,
    a.condition,
    grade,
    (select any_value(side) from within_the_other having count(*) = 1) as narrower_side,
    left(md5(concat_ws(' ', grade, a.series, b.series)), 8) as pair_id,
from rounded
union all by name
select
    'other' as pair_kind,
    profile_id as pair_id,
    profile_short_label as setting,
    {{ quantity_name('headline_metric') }} as quantity,
    {{ mark('value_qualifier') }}
    || {{ rounded_label('headline_value', metric_unit('headline_metric')) }} as b_label,
    if(
        document_id is not null, concat_ws(', ', document_id, 'p. ' || pages),
        concat_ws(', ', {{ counted('run_count', 'run') }}, folder)
    ) as b_basis,
    {{ attained_label('ceiling_scope', 'value_qualifier', 'attained_ratio') }} as b_share_label,
    false as is_comparable,
    profile_id,
    headline_metric as metric,
    array_label as b_array_label,
    headline_value as b_value,
    value_qualifier as b_qualifier,
    outstanding_io_count as b_outstanding_io_count,
    attained_ratio as b_attained_ratio,
    document_id as b_document_id,
    pages as b_pages,
    raid_level,
    5 as grade,
from others
order by
    is_comparable desc, profile_id, grade, raid_level, drive, drive_count, condition,
    a_outstanding_io_count, setting, pair_id, metric,
    b_value desc, b_array_label asc
