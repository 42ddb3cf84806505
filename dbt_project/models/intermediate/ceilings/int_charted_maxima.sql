-- What bars of a chart cannot exceed: the end of its axis, for each array and load profile that it
-- shows, and for RAID levels that do as much or more work.
select
    {{ slug('each_controller') }} as controller_id,
    levels.raid_level,
    {{ slug('drive') }} as drive_id,
    try_cast(drive_count as bigint) as drive_count,
    profiles.profile_id,
    min(axis_maximum_iops) as iops,
    min(axis_maximum_bytes_per_second) as bytes_per_second,
from {{ ref('stg_white_papers__figures') }} as figures
cross join {{ each_of('figures.controller') }} as controllers (each_controller)
cross join {{ each_of('figures.raid_level') }} as charted (each_level)
cross join {{ each_of('figures.profile') }} as names (profile_name)
inner join {{ ref('int_white_papers__profiles') }} as profiles
    on
        figures.document_id = profiles.document_id
        and names.profile_name = profiles.profile_name
inner join {{ ref('dim_raid_levels') }} as less on charted.each_level = less.raid_level
inner join {{ ref('dim_raid_levels') }} as levels
    on
        less.copy_count <= levels.copy_count
        and less.parity_drive_count <= levels.parity_drive_count
        and less.random_write_operation_count <= levels.random_write_operation_count
where x_axis = 'load profile' and coalesce(axis_maximum_iops, axis_maximum_bytes_per_second) > 0
group by all
