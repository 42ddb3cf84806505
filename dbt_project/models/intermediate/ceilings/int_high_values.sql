-- The most that an array may reach: the lowest of its limits in theory, and the end of the axis of
-- a chart that shows it, more of its drives, or a RAID level that does no more work. One that is
-- printed as "about" a value may be half a step of its last digit higher. A controller's cache
-- speeds up random writes to mirrors and parity of hard disks (Fujitsu 2016, page 40), to what they
-- do without either at most. As many drives as saturate the controller, as printed, are no bound.
with charts as (
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
),

bounds as (
    select
        limits.array_id,
        limits.profile_id,
        case
            when limits.ceiling_kind = 'controller' then 1 + coalesce(points.rounding_ratio, 0)
            when
                limits.ceiling_kind = 'drives'
                and arrays.drive_media = 'HDD'
                and arrays.random_ratio > 0
                then (limits.read_factor + limits.write_factor) / case
                    when limits.derivation != 'rated' then 1
                    when limits.write_factor > 0 then arrays.write_ratio
                    else arrays.read_ratio
                end
            else 1
        end as slack,
        slack * limits.bytes_per_second as bytes_per_second,
        slack * limits.iops as iops,
    from {{ ref('int_limits') }} as limits
    inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
    left join {{ ref('int_white_papers__measurements') }} as points
        on
            limits.ceiling_kind = 'controller'
            and limits.source_measurement_id = points.measurement_id
    where
        limits.basis = 'theoretical'
        and limits.purpose != 'measured'
        and not coalesce(
            limits.ceiling_kind = 'drives'
            and arrays.drive_count >= arrays.saturating_drive_count
            and arrays.is_own_level
            and arrays.has_printed_limit, false
        )
    union all by name
    select
        arrays.array_id,
        arrays.profile_id,
        coalesce(charts.bytes_per_second, charts.iops * arrays.mean_block_bytes)
            as bytes_per_second,
        coalesce(charts.iops, charts.bytes_per_second / arrays.mean_block_bytes) as iops,
    from charts
    inner join {{ ref('int_configurations') }} as arrays
        using (controller_id, raid_level, drive_id, profile_id)
    where arrays.purpose = 'what-if' and arrays.drive_count <= charts.drive_count
)

select
    array_id,
    profile_id,
    min(bytes_per_second) as bytes_per_second,
    min(iops) as iops,
from bounds
group by array_id, profile_id
