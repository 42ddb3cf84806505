-- Everything that a ceiling depends on. A single drive without a RAID level is JBOD. What is not
-- known is null. A profile's id rounds its ratios: of several the least.
with profiles as (
    select
        profile_id,
        min(random_ratio) as random_ratio,
        min(read_ratio) as read_ratio,
        1 - min(read_ratio) as write_ratio,
        min(
            list_sum(list_transform(block_mix, lambda part: part.block_bytes * part.share_ratio))
        ) as mean_block_bytes,
    from {{ ref('int_load_profiles') }}
    group by profile_id
),

catalogued as (
    select
        pairs.* replace (
            coalesce(pairs.raid_level, if(pairs.drive_count = 1, 'JBOD', null)) as raid_level,
            coalesce(drives.drive_media, pairs.drive_media) as drive_media,
            coalesce(drives.drive_interface, pairs.drive_interface) as drive_interface
        ),
        controllers.disk_port_interface,
        controllers.disk_port_count,
        controllers.host_interface,
        controllers.host_lane_count,
        profiles.* exclude (profile_id),
    from {{ ref('int_configurations') }} as pairs
    inner join profiles using (profile_id)
    left join {{ ref('int_controllers') }} as controllers using (controller_id)
    left join {{ ref('int_drives') }} as drives using (drive_id)
)

select
    catalogued.*,
    -- a drive on PCIe without a controller's ports
    regexp_matches(catalogued.drive_interface, '^PCIe [\d.]')
    and catalogued.disk_port_interface is null as is_own_controller,
    raid_levels.operations_per_random_write,
    raid_levels.copies as copy_count,
    raid_levels.parity_drive_count,
    nullif(
        greatest(
            catalogued.drive_count / raid_levels.copies - raid_levels.parity_drive_count, 0
        ), 0
    ) as data_drive_count,
    -- bytes that the disk side reads and writes for each byte that the application writes
    if(
        catalogued.write_ratio = 0, 0, catalogued.random_ratio * raid_levels.random_extra_bytes_read
    ) as bytes_read_per_write,
    case
        when catalogued.write_ratio = 0 then 0
        when catalogued.random_ratio = 1 then raid_levels.random_bytes_written
        else
            catalogued.random_ratio * raid_levels.random_bytes_written
            + (1 - catalogued.random_ratio) * catalogued.drive_count / data_drive_count
    end as bytes_written_per_write,
from catalogued
left join {{ ref('raid_levels') }} as raid_levels using (raid_level)
