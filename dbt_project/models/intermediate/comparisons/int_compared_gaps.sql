-- Controllers without a value at a RAID level of a load profile: they were measured with the
-- profile at another level, or at this level with another profile.
with controllers as (
    select distinct
        profile_id,
        controller,
        raid_level,
    from {{ ref('measurements') }}
    where
        is_valid
        and controller is not null
        and drive_count is distinct from 1
        and is_superseded is not true
)

select
    levels.profile_id,
    levels.raid_level,
    others.controller,
    coalesce(
        'at this load profile only ' || string_agg(
            distinct others.raid_level, ', ' order by others.raid_level
        ) filter (others.profile_id = levels.profile_id),
        'at other load profiles only'
    ) as remark,
from controllers as levels
inner join controllers as others
    on levels.profile_id = others.profile_id or levels.raid_level = others.raid_level
where levels.raid_level is not null
group by levels.profile_id, levels.raid_level, others.controller
having
    not coalesce(
        bool_or(others.profile_id = levels.profile_id and others.raid_level = levels.raid_level),
        false
    )
