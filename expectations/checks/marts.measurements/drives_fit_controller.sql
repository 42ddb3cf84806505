-- the controller supports this number of drives, with an expander if one is known
-- severity: warning
-- The expanders behind SAS ports are not known.
select
    source_path,
    source_position,
    raid_level,
    drive_count,
    controllers.controller,
    controllers.max_drive_count,
    controllers.max_server_drive_count,
from marts.measurements
inner join marts.dim_controllers as controllers using (controller_id)
where
    drive_count
    > greatest(
        controllers.max_drive_count,
        max_server_drive_count,
        if(disk_interfaces not like '%SAS%', disk_port_count, null)
    )
