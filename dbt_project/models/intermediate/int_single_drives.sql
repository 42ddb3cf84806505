-- What one drive does, by load profile: the most that a point of one drive says, wherever from.
select
    drive_id,
    profile_id,
    max(iops) as iops,
    max(bytes_per_second) as bytes_per_second,
    arg_max(measurement_id, coalesce(bytes_per_second, iops)) as measurement_id,
from {{ ref('int_measurements') }}
where
    drive_count = 1
    and coalesce(raid_level, 'JBOD') in ('JBOD', 'RAID 0')
    and is_valid
    and drive_id is not null
    and coalesce(iops, bytes_per_second) is not null
group by drive_id, profile_id
