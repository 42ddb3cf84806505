-- What is predicted of an array that was not measured, or whose measurement is left out: the least
-- of the practical limits that can be derived; and on what that rests. It is an upper bound only
-- where the controller's own limit is not known and it was not shown to do as much, and where the
-- drives' limit is not known, only a data sheet's, or what fewer drives than those that are printed
-- to saturate the controller stay below. A controller was shown to do what it, or its
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
    practical.bytes_per_second,
    practical.iops,
    theoretical.bytes_per_second as high_bytes_per_second,
    theoretical.iops as high_iops,
    practical.binding_ceiling,
    practical.limits[1].formula as formula,
    practical.missing_limits,
    case
        when arrays.is_rated then 'data sheet'
        when practical.binding_ceiling = 'controller' then 'printed limit'
        when
            practical.known_from in ('controller', 'twin')
            or arrays.is_own_controller
            or arrays.drive_count = 1
            or arrays.purpose = 'what-if' and practical.bytes_per_second <= shown.bytes_per_second
            then if(practical.missing_limits like '%drives%', 'links only', 'links and drives')
        else 'controller limit unknown'
    end as evidence,
    if(
        evidence in ('data sheet', 'controller limit unknown', 'links only')
        or practical.binding_ceiling = 'controller' and practical.known_from = 'cheaper level'
        or practical.binding_ceiling = 'drives'
        and practical.iops = arrays.drive_count * saturations.most_iops_of_a_drive,
        'at_most', 'approximate'
    ) as value_qualifier,
from {{ ref('int_configurations') }} as arrays
inner join {{ ref('int_ceilings_by_basis') }} as practical using (array_id, profile_id)
inner join {{ ref('int_ceilings_by_basis') }} as theoretical using (array_id, profile_id)
left join shown using (controller_id, raid_level, profile_id)
left join {{ ref('int_printed_saturations') }} as saturations
    on
        arrays.controller_id = saturations.controller_id
        and arrays.raid_level = saturations.raid_level
        and arrays.drive_id = saturations.drive_id
        and profile_id = saturations.profile_id
        and arrays.left_out is not distinct from saturations.left_out
        and arrays.drive_count < saturations.drive_count
where
    arrays.purpose != 'measured'
    and practical.basis = 'practical'
    and theoretical.basis = 'theoretical'
