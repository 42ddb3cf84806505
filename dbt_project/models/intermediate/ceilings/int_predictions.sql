-- What is predicted of an array that was not measured, or whose measurement is left out: the least
-- of the practical limits that can be derived; and on what that rests. It is an upper bound only
-- where the controller's own limit is not known and it was not shown to do as much, and where the
-- drives' limit is not known, only a data sheet's, or what fewer drives than those that are
-- printed to saturate the controller stay below. A controller was shown to do what it, or its
-- twin, was measured to reach at that RAID level or at one that costs it more.

-- The end of a chart's axis is above each bar: of the arrays that it shows, of fewer drives, and of
-- RAID levels that do as much or more work.
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

-- The high value is the lowest of the limits in theory and the ends of axes. A limit printed as
-- about a value may be half a step of its last digit higher. A controller's cache speeds up random
-- writes to mirrors and parity of hard disks (Fujitsu 2016, page 40), to what they do without
-- either at most. As many drives as saturate the controller, as printed, are no bound.
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
),

highs as (
    select
        array_id,
        profile_id,
        min(bytes_per_second) as bytes_per_second,
        min(iops) as iops,
    from bounds
    group by array_id, profile_id
),

reached as (
    select
        controller_id,
        raid_level,
        profile_id,
        max(bytes_per_second) as bytes_per_second,
    from {{ ref('int_reached_values') }}
    group by controller_id, raid_level, profile_id
)

select
    array_id,
    profile_id,
    arrays.purpose,
    arrays.left_out,
    arrays.controller_id,
    arrays.raid_level,
    arrays.drive_id,
    arrays.drive_media,
    arrays.drive_count,
    arrays.random_ratio = 0 as is_sequential,
    if(arrays.is_own_level, arrays.saturating_drive_count, null) as printed_saturating_drive_count,
    least(practical.bytes_per_second, highs.bytes_per_second) as bytes_per_second,
    least(practical.iops, highs.iops) as iops,
    highs.bytes_per_second as high_bytes_per_second,
    highs.iops as high_iops,
    practical.binding_ceiling,
    practical.binding_measurement_id,
    practical.missing_limits,
    case
        when practical.drives_derivation = 'rated' then 'data sheet'
        when
            practical.binding_ceiling = 'controller'
            and practical.known_from in ('controller', 'twin')
            then 'printed limit'
        when
            practical.known_from in ('controller', 'twin')
            or arrays.is_own_controller
            or arrays.drive_count = 1
            or arrays.purpose = 'what-if' and practical.bytes_per_second <= reached.bytes_per_second
            then if(practical.drives_derivation is null, 'links only', 'links and drives')
        else 'controller limit unknown'
    end as evidence,
    if(
        evidence in ('data sheet', 'controller limit unknown', 'links only')
        or practical.binding_derivation = 'printed saturation',
        'at_most', 'approximate'
    ) as value_qualifier,
from {{ ref('int_configurations') }} as arrays
inner join {{ ref('int_ceilings') }} as practical using (array_id, profile_id)
left join highs using (array_id, profile_id)
left join reached using (controller_id, raid_level, profile_id)
where
    arrays.purpose != 'measured'
    and practical.basis = 'practical'
