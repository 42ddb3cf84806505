-- Arrays that could be built of the catalog: every controller at its RAID levels with each drive
-- that fits it, up to as many as it takes alone or, where a document says so, in a server with
-- expander or at that level.
with level_limits as (
    select distinct on (controller_id, raid_level)
        {{ each_of('subjects') }} as controller,
        {{ slug('controller') }} as controller_id,
        condition as raid_level,
        try_cast(value as bigint) as most_drives,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'controller' and attribute = 'max_drives' and edition_order = 1
    order by most_drives
)

select
    controllers.controller_id,
    levels.raid_level,
    drives.drive_id,
    unnest(range(
        levels.min_drive_count,
        least(
            levels.max_drive_count,
            level_limits.most_drives,
            greatest(
                controllers.max_drive_count,
                controllers.disk_port_count,
                controllers.max_server_drive_count
            )
        ) + 1,
        levels.step_drive_count
    )) as drive_count,
    concat_ws(
        '-', 'what-if', controllers.controller_id, {{ slug('levels.raid_level') }},
        drive_count || 'x', drives.drive_id
    ) as array_id,
from {{ ref('int_controllers') }} as controllers
inner join {{ ref('dim_raid_levels') }} as levels
    on replace(levels.raid_level, 'RAID ', '') in string_split(controllers.raid_levels, ', ')
inner join {{ ref('int_drives') }} as drives
    on
        drives.drive_interface like 'SATA %'
        or drives.drive_interface like 'SAS %' and controllers.disk_port_interface like 'SAS %'
left join level_limits using (controller_id, raid_level)
where controllers.disk_port_interface is not null
