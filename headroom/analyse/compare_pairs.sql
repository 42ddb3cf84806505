{#- `headroom compare`, 2 of 3: the pairs of values of A and B, at the same load or else the maximum
    of each, and whether they are comparable. -#}
{#- The condition under which a fact must be the same on both sides. -#}
{%- set must_match = dict(
    dict.fromkeys([] if 'tool_name' in subjects else of_tool, 'is_of_one_load'),
    condition='(is_own or is_of_one_load)', **dict.fromkeys(same, 'true')
) -%}
{#- Labels of the facts for which the condition holds; @ stands for the column. -#}
{%- macro labels_where(columns, condition) -%}
    list_filter([
        {%- for column in columns %}
        if(
            {{ condition | replace('@must_match', must_match.get(column, 'false'))
                | replace('@', column) }}, '{{ facts[column] }}', null
        ),
        {%- endfor %}
    ], lambda label: label is not null)
{%- endmacro -%}
{%- set not_subject = facts | reject('in', subjects) | list -%}

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

-- A fact that must match but differs (an obstacle) prevents a factor, and so does one that is known
-- for one side only, or a load that is known for none (an unknown). There may be millions of pairs:
-- only the columns that rank them are kept.
judged as (
    select
        a.profile_id,
        a.load_id as a_load_id,
        b.load_id as b_load_id,
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
        {{ labels_where(facts, '@must_match and a.@ != b.@') }}
        || if(is_own and is_one_condition, ['condition'], []) as obstacles,
        {{ labels_where(facts | select('in', same), '(a.@ is null) != (b.@ is null)') }}
        || if(is_of_one_load and not is_own and is_one_condition, ['condition'], [])
        -- two unknown loads are not the same load
        || if(
            is_own and is_of_one_load and a.outstanding_io_count is null,
            ['outstanding I/Os'], []
        )
        || if(is_own and contains(a.profile_id, 'unstated'), ['load'], []) as unknowns,
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

-- The most similar pairs of each array at the same load, or else of maxima; measured and printed
-- values are ranked separately.
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
                    unknown_count asc, difference_count asc, b_headline_value desc, b_load_id asc,
                    a_load_id asc
            )
        end = 1
),

-- Keeps a pair with an obstacle only if its load profile has no other pair, and only the best pairs
-- of each array of B.
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
                    a_load_id, b_load_id
            ) = 1
        )
),
