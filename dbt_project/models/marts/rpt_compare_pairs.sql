-- Two arrays or single drives at one load profile: the factor, what is the same, what differs. Each
-- pair appears in both orders; every array also appears beside its ceiling, without a sentence.
-- Only the forty highest of each group and profile are paired, to keep pairs few. Different RAID
-- levels, an array and a single drive, or SSDs and hard disks are 'Unlike'. The lead pair of a kind
-- has its highest value and the most similar of the next lower ones.
with sides as (
    select
        * exclude (has_overlap),
        group_name = 'our own' as is_own,
        if(has_any_raid_level, 'any', raid_level) as level_class,
        regexp_replace(array_label, '^1 x ', '') as side_name,
        row_number() over (
            partition by profile_id, is_own, level_class
            order by headline_value desc, array_label asc
        ) as place,
    from {{ ref('rpt_compare') }}
    where headline_value is not null
    qualify
        row_number() over (
            partition by profile_id, group_name order by headline_value desc, array_label asc
        ) <= 40
),

pairs as (
    select
        more,
        less,
        case
            when more.level_class != less.level_class or more.drive_media != less.drive_media
                then 'Unlike'
            when more.is_own or less.is_own then 'Our own'
            when more.level_class = 'any' then 'Single drives'
            else 'Arrays'
        end as pair_kind,
        pair_kind != 'Unlike' and more.level_class != 'any' as is_of_one_level,
        more.drives_label = less.drives_label as has_same_drives,
        -- a difference between drives is not one between controllers
        is_of_one_level
        and has_same_drives
        and more.controller != less.controller
        and 'not reported' not in (more.controller, less.controller) as is_of_controllers,
        if(is_of_controllers, more.controller, more.side_name) as more_name,
        if(is_of_controllers, less.controller, less.side_name) as less_name,
        coalesce(more.document_id = less.document_id, false) as has_same_document,
        more.headline_value / less.headline_value as ratio,
        more.min_headline_value < less.max_headline_value
        and greatest(more.measurement_count, less.measurement_count) > 1 as has_overlap,
        {{ factor_mark(
            'more.value_qualifier', 'less.value_qualifier', 'has_same_document', 'has_overlap'
        ) }} as mark,
        mark || {{ times_label('ratio') }} as factor_label,
        {{ factor_mark(
            'less.value_qualifier', 'more.value_qualifier', 'has_same_document', 'has_overlap'
        ) }} || {{ times_label('1 / ratio') }} as inverse_label,
        row_number() over (
            partition by more.profile_id, pair_kind, more.raid_level
            order by
                least(more.place, less.place) asc, is_of_controllers desc, has_same_drives desc,
                more.is_own = less.is_own asc, greatest(more.place, less.place) asc,
                more.array_label asc, less.array_label asc
        ) = 1 as is_lead,
    from sides as more
    inner join sides as less
        on
            more.profile_id = less.profile_id
            and (more.headline_value, less.array_label) > (less.headline_value, more.array_label)
            -- own drives of an unknown medium are not compared with those of papers
            and (
                more.is_own = less.is_own
                or if(more.is_own, more.drive_media, less.drive_media) is not null
            )
),

verdicts as (
    select
        *,
        concat_ws(
            ', ', if(is_of_controllers, nullif(more.raid_level, 'not reported'), null),
            more.profile_short_label
        ) || ': ' || more_name || ' ' || more.value_label || case
            when has_overlap and mark = '≈ ' then ', no clear difference from '
            when factor_label is null then ' and '
            when mark in ('', '≈ ') and {{ three_digits('ratio') }} = 1
                then ', ' || mark || 'as much as '
            else ', ' || factor_label || ' '
        end || less_name || ' (' || less.value_label || ')'
        || if(factor_label is null, ': no factor, both are bounds', '') as verdict,
        concat_ws(
            '; ',
            if(
                (more.value_qualifier, less.value_qualifier) = ('at_most', 'at_most'),
                'both are the highest that '
                || if(has_same_document, 'the paper prints', 'papers print'), null
            ),
            case
                when more.level_class = 'any' and less.level_class = 'any' then null
                when 'any' in (more.level_class, less.level_class) then 'one has no RAID level'
                when 'not reported' in (more.raid_level, less.raid_level)
                    then 'RAID level not reported'
                when more.raid_level != less.raid_level then 'RAID levels differ'
            end,
            case
                when more.level_class = 'any' and less.level_class = 'any' then null
                when not has_same_drives
                    then 'drives differ: ' || more.drives_label || ' and ' || less.drives_label
                when more.has_known_drives then 'the same drives: ' || more.drives_label
                when more.drives_label = 'drives not reported' then more.drives_label
                else 'drives not fully reported: ' || more.drives_label
            end,
            if(
                coalesce(more.outstanding_io_count, less.outstanding_io_count) is null,
                'outstanding I/Os not reported',
                'outstanding I/Os: ' || coalesce(more.outstanding_io_count::varchar, 'not reported')
                || ' and ' || coalesce(less.outstanding_io_count::varchar, 'not reported')
            ),
            more_name || ': ' || more.repeats_label,
            less_name || ': ' || less.repeats_label,
            if(has_same_document, 'same paper', 'different sources')
        ) as verdict_basis,
    from pairs
)

{% for side, baseline, ratio, factor_label in [
    ('more', 'less', 'ratio', 'factor_label'), ('less', 'more', '1 / ratio', 'inverse_label')
] -%}
    select
        {{ side }}.profile_id,
        {{ side }}.profile_short_label,
        {{ side }}.array_label,
        {{ side }}.raid_level,
        {{ side }}.has_any_raid_level,
        {{ side }}.headline_value,
        {{ baseline }}.array_label as baseline_label,
        pair_kind,
        is_lead,
        {{ ratio }} as ratio,
        {{ factor_label }} as factor_label,
        verdict,
        verdict_basis,
    from verdicts
    union all by name
{% endfor -%}
select
    profile_id,
    profile_short_label,
    array_label,
    raid_level,
    has_any_raid_level,
    headline_value,
    'ceiling' as baseline_label,
    'Ceiling' as pair_kind,
    false as is_lead,
    attained_ratio as ratio,
    attained_label as factor_label,
from {{ ref('rpt_compare') }}
where
    ceiling_scope = 'value is the limit'
    or {{ has_share('ceiling_scope', 'value_qualifier') }}
