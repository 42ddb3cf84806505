-- the RAID level allows this number of drives
-- severity: warning
-- A controller without a mode for single drives presents each as its own RAID 0.
select
    source_path,
    source_position,
    controller,
    raid_level,
    drive_count,
    levels.min_drive_count,
    levels.max_drive_count,
    levels.step_drive_count,
from marts.measurements
inner join marts.dim_raid_levels as levels using (raid_level)
where
    not (raid_level = 'RAID 0' and drive_count = 1)
    and (
        drive_count < levels.min_drive_count
        or drive_count > levels.max_drive_count
        or drive_count % levels.step_drive_count != 0
    )
