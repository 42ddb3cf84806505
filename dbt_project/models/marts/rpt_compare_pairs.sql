-- Two arrays or single drives at one load profile: the factor, what is the same, what differs. Each
-- pair appears in both orders; every array also appears beside its ceiling, without a sentence.
with told as (
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
    from {{ ref('int_compared_pairs') }}
)

select
    more.profile_id,
    more.profile_short_label,
    more.array_label,
    more.raid_level,
    more.has_any_raid_level,
    more.headline_value,
    less.array_label as baseline_label,
    pair_kind,
    is_lead,
    ratio,
    factor_label,
    verdict,
    verdict_basis,
from told
union all by name
select
    less.profile_id,
    less.profile_short_label,
    less.array_label,
    less.raid_level,
    less.has_any_raid_level,
    less.headline_value,
    more.array_label as baseline_label,
    pair_kind,
    is_lead,
    1 / ratio as ratio,
    inverse_label as factor_label,
    verdict,
    verdict_basis,
from told
union all by name
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
    ceiling_scope in ('all limits known', 'value is the limit')
    or {{ is_lower_bound('ceiling_scope', 'value_qualifier') }}
