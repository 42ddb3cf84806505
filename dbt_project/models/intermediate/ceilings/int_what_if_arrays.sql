-- Arrays that could be built from the catalog: every controller at its RAID levels with each drive
-- that fits, up to the number that it takes alone or in a server with expander, or a document's
-- limit for the level; at most 32 drives, or 256 for a controller in a headroom.yml. If there are
-- too many arrays, those of the files that define most parts are left out, so that one file cannot
-- displace the arrays of others.
with definitions as (
    select
        defined_in,
        count(*) as definition_count,
    from (
        select defined_in from {{ ref('int_controllers') }}
        union all
        select defined_in from {{ ref('int_drives') }}
    )
    where defined_in is not null
    group by defined_in
),

level_limits as (
    select distinct on (controller_id, raid_level)
        {{ each_of('subjects') }} as controller,
        {{ slug('controller') }} as controller_id,
        condition as raid_level,
        try_cast(value as bigint) as most_drives,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'controller' and attribute = 'max_drives' and edition_order = 1
    order by most_drives
),

designs as (
    select
        controllers.controller_id,
        levels.raid_level,
        drives.drive_id,
        greatest(of_controller.definition_count, of_drive.definition_count, 0) as definition_count,
        levels.min_drive_count,
        levels.step_drive_count,
        least(
            levels.max_drive_count,
            level_limits.most_drives,
            greatest(
                controllers.max_drive_count,
                controllers.disk_port_count,
                controllers.max_server_drive_count
            )
        ) as possible_drive_count,
        if(controllers.defined_in is null, 32, 256) as predicted_drive_count,
        if(
            possible_drive_count > predicted_drive_count,
            predicted_drive_count, possible_drive_count
        ) as most_drive_count,
    from {{ ref('int_controllers') }} as controllers
    inner join {{ ref('dim_raid_levels') }} as levels
        on replace(levels.raid_level, 'RAID ', '') in string_split(controllers.raid_levels, ', ')
    inner join {{ ref('int_drives') }} as drives
        on
            drives.drive_interface like 'SATA %'
            or drives.drive_interface like 'SAS %' and controllers.disk_port_interface like 'SAS %'
    left join level_limits using (controller_id, raid_level)
    left join definitions as of_controller on controllers.defined_in = of_controller.defined_in
    left join definitions as of_drive on drives.defined_in = of_drive.defined_in
    where controllers.disk_port_interface is not null
),

counted as (
    select
        *,
        sum((most_drive_count - min_drive_count) // step_drive_count + 1) over (
            order by definition_count, controller_id, raid_level, drive_id
        ) as array_count,
    from designs
    where most_drive_count >= min_drive_count
)

select
    controller_id,
    raid_level,
    drive_id,
    unnest(range(min_drive_count, most_drive_count + 1, step_drive_count)) as drive_count,
from counted
where array_count <= {{ var('most_what_if_arrays') }}
