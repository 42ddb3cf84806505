-- What one drive does, by load profile: the most that a point of one drive says, wherever from.
-- What is above the drive's own link came out of a cache, and tells nothing of the drive.
with links as (
    select
        {{ slug('drives.drive') }} as drive_id,
        {{ link_bytes_per_second('interfaces.line_rate_hz', 1, 'interfaces.encoding_ratio') }}
            as link_bytes_per_second,
    from {{ ref('int_drives') }} as drives
    inner join {{ ref('interfaces') }} as interfaces
        on drives.drive_interface = interfaces.interface
)

select
    points.drive_id,
    points.profile_id,
    max(points.iops) as iops,
    max(points.bytes_per_second) as bytes_per_second,
    arg_max(
        points.measurement_id,
        (coalesce(points.bytes_per_second, points.iops), points.measurement_id)
    ) as measurement_id,
from {{ ref('int_measurements') }} as points
left join links using (drive_id)
where
    points.drive_count = 1
    and coalesce(points.raid_level, 'JBOD') in ('JBOD', 'RAID 0')
    and points.is_valid
    and points.drive_id is not null
    and coalesce(points.iops, points.bytes_per_second) is not null
    and coalesce(points.bytes_per_second <= links.link_bytes_per_second, true)
group by points.drive_id, points.profile_id
