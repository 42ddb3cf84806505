-- the controller takes so many drives, with an expander where one is known
-- severity: warning
-- Of SAS ports it is not known what expanders they reach.
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
