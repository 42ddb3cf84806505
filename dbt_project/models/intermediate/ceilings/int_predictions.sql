-- What is predicted of an array that was not measured, or whose measurement is left out: the least
-- of the practical limits that can be derived; and on what that rests. It is an upper bound only
-- where the controller's own limit is not known and it was not shown to do as much, and where the
-- drives' limit is not known, only a data sheet's, or what fewer drives than those that are
-- printed to saturate the controller stay below. A controller was shown to do what it, or its
-- twin, was measured to reach at that RAID level or at one that costs it more.
with shown as (
    select
        controller_id,
        raid_level,
        profile_id,
        max(bytes_per_second) as bytes_per_second,
    from {{ ref('int_shown_values') }}
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
            or arrays.purpose = 'what-if' and practical.bytes_per_second <= shown.bytes_per_second
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
left join {{ ref('int_high_values') }} as highs using (array_id, profile_id)
left join shown using (controller_id, raid_level, profile_id)
where
    arrays.purpose != 'measured'
    and practical.basis = 'practical'
