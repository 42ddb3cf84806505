-- What its maker says that one drive does at most: random reads and writes of 4 KiB, and reads and
-- writes in sequence, where no single drive was measured. It limits arrays that were measured; no
-- prediction rests on it.
select
    drives.drive_id,
    profiles.profile_id,
    'measured' as purpose,
    case
        when profiles.random_ratio = 1 and profiles.read_ratio = 1 then rated_random_read_iops
        when profiles.random_ratio = 1 then rated_random_write_iops
    end as iops,
    case
        when profiles.random_ratio = 0 and profiles.read_ratio = 1 then rated_read_bytes_per_second
        when profiles.random_ratio = 0 then rated_write_bytes_per_second
    end as bytes_per_second,
from {{ ref('int_drives') }} as drives
inner join {{ ref('int_load_profiles') }} as profiles
    on
        profiles.read_ratio in (0, 1)
        and (
            profiles.random_ratio = 0
            or (profiles.random_ratio = 1 and profiles.block_bytes = 4096)
        )
anti join {{ ref('int_drive_rates') }} as measured
    on
        drives.drive_id = measured.drive_id
        and if(
            profiles.random_ratio = 0,
            profiles.read_ratio = measured.sequential_read_ratio
            and measured.bytes_per_second is not null,
            profiles.profile_id = measured.profile_id and measured.iops is not null
        )
where coalesce(iops, bytes_per_second) is not null
