-- Two arrays or single drives at one load profile, the higher value first. Of each group of a
-- profile the forty highest, so that pairs stay few. Pairs are of a kind where both are arrays of
-- one RAID level, or both single drives, and not SSDs beside hard disks; the first of a kind has
-- its highest value beside the next one that is as alike as there is.
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
)

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
    -- what other drives do is not the controllers'
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
        -- drives of an unknown medium are not held against those of papers
        and (
            more.is_own = less.is_own
            or if(more.is_own, more.drive_media, less.drive_media) is not null
        )
