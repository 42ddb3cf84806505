-- the controller supports the RAID level
-- severity: warning
select
    source_path,
    source_position,
    raid_level,
    drive_count,
    controllers.controller,
    controllers.raid_levels,
from marts.measurements
inner join marts.dim_controllers as controllers using (controller_id)
where
    not list_contains(string_split(controllers.raid_levels, ', '), replace(raid_level, 'RAID ', ''))
