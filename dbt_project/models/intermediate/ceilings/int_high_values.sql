-- The most that an array may reach: the lowest of its limits in theory, and the end of the axis of
-- a chart that shows it, or more of its drives. A limit printed as "about" a value may be half a
-- step of its last digit higher. A controller's cache speeds up random writes to mirrors and
-- parity of hard disks (Fujitsu 2016, page 40), to what they do without either at most. As many
-- drives as saturate the controller, as printed, are no bound.
with bounds as (
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
    left join {{ ref('int_printed_saturations') }} as saturations
        on
            arrays.controller_id = saturations.controller_id
            and arrays.raid_level = saturations.raid_level
            and arrays.drive_id = saturations.drive_id
            and arrays.profile_id = saturations.profile_id
            and arrays.left_out is not distinct from saturations.left_out
    where
        limits.basis = 'theoretical'
        and limits.purpose != 'measured'
        and not coalesce(
            limits.ceiling_kind = 'drives'
            and arrays.drive_count >= saturations.saturating_drive_count
            and saturations.is_own_level
            and saturations.has_printed_limit, false
        )
    union all by name
    select
        arrays.array_id,
        arrays.profile_id,
        coalesce(charts.bytes_per_second, charts.iops * arrays.mean_block_bytes)
            as bytes_per_second,
        coalesce(charts.iops, charts.bytes_per_second / arrays.mean_block_bytes) as iops,
    from {{ ref('int_charted_maxima') }} as charts
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
