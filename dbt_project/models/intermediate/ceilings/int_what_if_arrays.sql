-- Arrays that could be built of the catalog: every controller at its RAID levels with each drive
-- that fits it, up to as many as it takes alone or, where a document says so, in a server with
-- expander or at that level.
with stated_limits as (
    select
        {{ each_of('subjects') }} as controller,
        condition as raid_level,
        value,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'controller' and attribute = 'max_drives' and edition_order = 1
),

level_limits as (
    select
        controller,
        raid_level,
        try_cast(min(value) as bigint) as most_drives,
    from stated_limits
    group by controller, raid_level
),

controllers as (
    select
        controller,
        controller_id,
        disk_port_interface,
        greatest(max_drive_count, disk_port_count, max_server_drive_count) as most_drives,
        unnest(string_split(raid_levels, ', ')) as level,
    from {{ ref('int_controllers') }}
    where disk_port_interface is not null
),

drives as (
    select
        drive_id,
        drive_interface,
    from {{ ref('int_drives') }}
    where drive_interface like 'SAS %' or drive_interface like 'SATA %'
),

sizes as (
    select
        controllers.controller_id,
        controllers.disk_port_interface,
        raid_levels.raid_level,
        unnest(
            range(
                raid_levels.min_drive_count,
                least(
                    raid_levels.max_drive_count, level_limits.most_drives, controllers.most_drives
                ) + 1,
                raid_levels.drive_count_step
            )
        ) as drive_count,
    from controllers
    inner join {{ ref('raid_levels') }} as raid_levels
        on controllers.level = replace(raid_levels.raid_level, 'RAID ', '')
    left join level_limits using (controller, raid_level)
)

select
    sizes.controller_id,
    sizes.raid_level,
    drives.drive_id,
    sizes.drive_count,
    concat_ws(
        '-', 'what-if', sizes.controller_id, {{ slug('sizes.raid_level') }},
        sizes.drive_count || 'x', drives.drive_id
    ) as array_id,
from sizes
inner join drives
    on drives.drive_interface like 'SATA %' or sizes.disk_port_interface like 'SAS %'
