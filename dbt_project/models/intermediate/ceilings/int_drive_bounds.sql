-- Upper bounds of one drive from its data sheet, at load profiles where each direction has a bound.
-- Random reads of more than 4 KiB are no faster than the rated ones of 4 KiB. Larger random writes
-- may be, as some drives map their flash in larger units: an SSD is then bound by its sequential
-- writes. For a hard disk that bound is far too high, so there is none. Data sheets do not rate
-- partly random loads.
with rated as (
    select
        drives.drive_id,
        profiles.*,
        profiles.block_mix[1].block_bytes >= 4096 and profiles.mean_block_bytes is not null
            as is_rated_block,
        profiles.random_ratio = 0 or (is_rated_block and drives.drive_media = 'SSD')
            as is_below_sequential,
        if(profiles.random_ratio = 1 and is_rated_block, drives.rated_random_read_iops, null)
            as read_iops,
        if(
            profiles.random_ratio = 1 and profiles.block_bytes = 4096,
            drives.rated_random_write_iops, null
        ) as write_iops,
        if(is_below_sequential, drives.rated_read_bytes_per_second, null)
            as read_bytes_per_second,
        if(is_below_sequential, drives.rated_write_bytes_per_second, null)
            as write_bytes_per_second,
    from {{ ref('int_drives') }} as drives
    inner join {{ ref('int_load_profiles') }} as profiles
        on profiles.random_ratio in (0, 1)
)

select
    drive_id,
    profile_id,
    read_iops,
    write_iops,
    read_bytes_per_second,
    write_bytes_per_second,
from rated
where
    (read_ratio = 0 or if(random_ratio = 0, read_bytes_per_second, read_iops) is not null)
    and (
        read_ratio = 1
        or if(random_ratio = 1 and block_bytes = 4096, write_iops, write_bytes_per_second)
        is not null
    )
