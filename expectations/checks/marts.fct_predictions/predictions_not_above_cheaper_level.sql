-- no RAID level is predicted above one that does less work
-- severity: warning
select
    predicted.controller,
    predicted.raid_level,
    cheaper.raid_level as cheaper_level,
    predicted.drive,
    drive_count,
    profile_id,
    predicted.bytes_per_second,
    cheaper.bytes_per_second as cheaper_bytes_per_second,
    predicted.low_bytes_per_second,
    cheaper.low_bytes_per_second as cheaper_low_bytes_per_second,
from marts.fct_predictions as predicted
inner join marts.fct_predictions as cheaper using (controller_id, drive_id, drive_count, profile_id)
inner join marts.dim_raid_levels as level on predicted.raid_level = level.raid_level
inner join marts.dim_raid_levels as less on cheaper.raid_level = less.raid_level
where
    less.copy_count <= level.copy_count
    and less.parity_drive_count <= level.parity_drive_count
    and less.random_write_operation_count <= level.random_write_operation_count
    -- RAID 6 of four or five drives reads less for a write than RAID 5
    and (level.raid_level != 'RAID 6' or drive_count >= 6)
    and (
        predicted.bytes_per_second > cheaper.bytes_per_second * (1 + 1e-9)
        or predicted.low_bytes_per_second > cheaper.low_bytes_per_second * (1 + 1e-9)
    )
