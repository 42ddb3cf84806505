{#- `headroom compare`, 3 of 3: each quantity of the pairs in `kept`, with its factor and words. -#}
{%- macro joined(labels, text) -%}
    array_to_string(list_transform({{ labels }}, lambda label: label || ' ' || {{ text }}), '; ')
{%- endmacro -%}

-- Each quantity of a value.
quantities as (
    select
        loads.* exclude (run_count),
        loads.run_count as headline_run_count,
        loads.value_qualifier as qualifier,
        {{ metric_unit('loads.headline_metric') }} as headline_unit,
        quantity.metric as metric,
        concat_ws('|', load_id, metric) as quantity_id,
        quantity.run_values as run_values,
        {{ metric_unit('quantity.metric') }} as unit,
        len(run_values) as run_count,
        list_median(run_values) as value,
        list_min(run_values) as min_value,
        list_max(run_values) as max_value,
    from loads
    inner join series using (load_id), unnest(series.quantities) as listed (quantity)
    where len(run_values) > 0
),

-- The labels of a quantity that do not depend on the other side.
labelled as (
    select
        *,
        {%- for value, unit in [('value', 'unit'), ('headline_value', 'headline_unit')] %}
        {{ mark('value_qualifier') }} || {{ rounded_label(value, unit) }}
            as {{ value }}_label,
        {%- endfor %}
        {{ attained_label('ceiling_scope', 'value_qualifier', 'attained_ratio') }} as share_label,
        {{ counted('outstanding_io_count', 'outstanding I/O') }} as io_label,
        case
            when document_id is not null then null
            when load_count = 1 then io_label
            else 'best of ' || load_count || ' loads: ' || io_label
        end as load_label,
        if(
            document_id is not null, concat_ws(', ', document_id, 'p. ' || pages),
            concat_ws(
                ', ',
                if(
                    run_count = 1, '1 run',
                    'median of ' || run_count || ', '
                    || {{ rounded_label('min_value', 'unit') }} || ' to '
                    || {{ rounded_label('max_value', 'unit') }}
                ),
                folder
            )
        ) as source_label,
    from quantities
),

paired as (
    select
        kept.*,
        a,
        b,
        a.metric as metric,
        concat_ws(
            ', ', a.profile_short_label,
            if(a.raid_level = b.raid_level, a.raid_level, null),
            if(
                a.drive = b.drive,
                coalesce(if(a.drive_count = b.drive_count, a.drive_count, null) || ' x ', '')
                || a.drive, null
            ),
            case
                when is_of_one_load then a.io_label
                when is_of_maxima then 'maxima over all loads'
                else 'no common load'
            end,
            if(a.condition = b.condition, a.condition, null)
        ) as common_setting,
    from kept
    inner join labelled as a on kept.a_load_id = a.load_id
    -- one condition: with two, DuckDB may first join all rows of A and B that share a metric
    inner join labelled as b on concat_ws('|', kept.b_load_id, a.metric) = b.quantity_id
),

compared as (
    select
        *,
        concat_ws(
            ', ', common_setting
            {%- for column, label in of_run.items() if column not in of_load %},
            if(
                count(distinct (a.{{ column }}, b.{{ column }})) over (partition by common_setting)
                > 1,
                '{{ label }} ' || nullif(concat_ws(
                    ' and ', a.texts['{{ label }}'],
                    if(a.{{ column }} = b.{{ column }}, null, b.texts['{{ label }}'])
                ), ''), null
            )
            {%- endfor %}
        ) as setting,
        b.value / a.value as ratio,
        {{ ratio_margin('b.run_count', 'a.run_count') }} as margin,
        if(
            grade = 1 and is_own and margin >= 1,
            {{ all_ratios('b.run_values', 'a.run_values') }}, null
        ) as factors,
        factors[margin] as low_factor,
        factors[len(factors) + 1 - margin] as high_factor,
        low_factor <= 1 and high_factor >= 1 as is_within_noise,
        -- between maxima, a printed "up to" counts as exact
        if(grade = 2 and a.value_qualifier = 'at_most', 'exact', a.value_qualifier) as a_mark,
        if(grade = 2 and b.value_qualifier = 'at_most', 'exact', b.value_qualifier) as b_mark,
        {{ factor_mark(
            'b_mark', 'a_mark', 'a.document_id = b.document_id',
            'coalesce(is_within_noise, false)'
        ) }} || {{ times_label('ratio') }} as marked_factor,
        is_comparable and (grade = 1 or metric = a.headline_metric) as has_factor,
    from paired
),

-- The rest of B at load profiles where a kept pair is not comparable at the same load.
others as (
    select *
    from labelled
    where
        side = 'b'
        and is_highest
        and metric = headline_metric
        and profile_id in (select profile_id from kept where grade > 1)
        and (profile_id, array_label) not in (select (profile_id, b_array_label) from kept)
)

select
    pair_kind,
    setting,
    {{ quantity_name('metric') }} as quantity,
    {%- for side in ['a', 'b'] %}
    {{ side }}.value_label as {{ side }}_label,
    concat_ws(', ', if(is_of_one_load, null, {{ side }}.load_label), {{ side }}.source_label)
        as {{ side }}_basis,
    {{ side }}.share_label as {{ side }}_share_label,
    {%- endfor %}
    case
        when obstacle_count > 0 then 'not comparable'
        when unknown_count > 0 then 'possibly not comparable'
        when not is_comparable and a.is_maximum then 'no factor: B is not a maximum'
        when not is_comparable and b.is_maximum then 'no factor: A is not a maximum'
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
        when a.run_count = 1 and b.run_count = 1 then '1 run a side: no interval'
        else
            {{ counted('a.run_count', 'run') }} || ' and '
            || {{ counted('b.run_count', 'run') }} || ': no interval'
    end as interval_label,
    is_comparable,
    is_within_noise,
    if(has_factor and marked_factor is not null, ratio, null) as factor,
    low_factor,
    high_factor,
    {%- for labels in ['obstacles', 'unknowns', 'differences'] %}
    {{ joined(
        labels, "if(
            coalesce(a.texts[label], b.texts[label]) is null, 'not reported on either side',
            coalesce(a.texts[label], 'not reported') || ' and '
            || coalesce(b.texts[label], 'not reported')
        )"
    ) }} as {{ labels }},
    {%- endfor %}
    {%- for side, other in [('a', 'b'), ('b', 'a')] %}
    {{ joined(
        labels_where(
            not_subject | reject('in', of_source) | reject('eq', 'outstanding_io_count'),
            'not @must_match and ' ~ side ~ '.@ is not null and ' ~ other ~ '.@ is null'
        ), side ~ '.texts[label]'
    ) }} as only_{{ side }},
    {%- endfor %}
    concat_ws(
        ', '
        {%- for column, name in [
            ('outstanding_io_count', 'outstanding I/Os'), ('drive', 'drives'),
            ('raid_level', 'RAID level'),
        ] %},
        if(coalesce(a.{{ column }}, b.{{ column }}) is null, '{{ name }}', null)
        {%- endfor %}
    ) as not_stated,
    a.doubt as a_doubt,
    b.doubt as b_doubt,
    concat_ws(
        '; '
        {%- for side, other, name in [('a', 'b', 'A'), ('b', 'a', 'B')] %},
        if(
            grade = 4 and obstacle_count + unknown_count = 0 and {{ other }}.is_maximum
            and {{ side }}.document_id is null and not {{ side }}.is_maximum,
            {{ other }}.headline_value_label || ' is a maximum over '
            || if({{ other }}.document_id is null, {{ other }}.load_count || ' loads', 'all loads')
            || ': run iodepth 1 to 256 for {{ name }} and compare again', null
        ),
        if(
            grade = 2 and {{ side }}.document_id is null
            and {{ side }}.outstanding_io_count = {{ side }}.most_io_count,
            '{{ name }} is best at its most outstanding I/Os: run more of them', null
        ),
        {%- for column in facts if column in same %}
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
        )
        {%- endfor %}
    ) as remedy,
    profile_id,
    metric,
    {%- for side in ['a', 'b'] %}
    {%- for column in [
        'array_label', 'value', 'qualifier', 'min_value', 'max_value', 'run_count',
        'outstanding_io_count', 'attained_ratio', 'document_id', 'pages',
    ] %}
    {{ side }}.{{ column }} as {{ side }}_{{ column }},
    {%- endfor %}
    {%- endfor %}
    a.raid_level,
    a.drive,
    a.drive_count,
    a.condition,
    grade,
    (select any_value(side) from within_the_other having count(*) = 1) as narrower_side,
    left(md5(concat_ws(' ', grade, a.series, b.series)), 8) as pair_id,
from compared
union all by name
select
    'other' as pair_kind,
    profile_id as pair_id,
    profile_short_label as setting,
    {{ quantity_name('metric') }} as quantity,
    headline_value_label as b_label,
    if(
        document_id is not null, source_label,
        concat_ws(', ', {{ counted('headline_run_count', 'run') }}, folder)
    ) as b_basis,
    share_label as b_share_label,
    false as is_comparable,
    profile_id,
    metric,
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
    b_value desc, b_array_label asc, b_document_id asc, b_pages asc
