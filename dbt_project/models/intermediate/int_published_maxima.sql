-- What a controller reaches at most at a RAID level and load profile: where a document says so of
-- the controller itself, without drives and load; then also what an array is shown to reach beyond.
select
    controller_id,
    raid_level,
    profile_id,
    max(iops) as iops,
    max(bytes_per_second) as bytes_per_second,
    arg_max(array_id, (coalesce(bytes_per_second, iops), measurement_id)) as array_id,
    arg_max(measurement_id, (coalesce(bytes_per_second, iops), measurement_id))
        as measurement_id,
from {{ ref('int_measurements') }}
where
    document_id is not null
    and controller_id is not null
    and raid_level is not null
    and coalesce(iops, bytes_per_second) is not null
group by controller_id, raid_level, profile_id
having bool_or(drive_id is null and drive_count is null and outstanding_io_count is null)
