-- What documents call the controller's own limit at that RAID level and load profile.
select
    links.array_id,
    links.profile_id,
    case
        when links.controller_id is null then 'the controller is not known'
        when limits.measurement_id is null
            then 'no document states a limit of this controller at this level and profile'
    end as missing_reason,
    limits.bytes_per_second,
    limits.iops,
    limits.known_from,
    'published: ' || limits.measurement_id || case limits.known_from
        when 'twin' then ', of ' || limits.stated_controller || ', which has the same limits'
        when 'cheaper level'
            then ', of ' || limits.stated_raid_level || ', which costs the controller less'
        else ''
    end as formula,
from {{ ref('int_configurations') }} as links
left join {{ ref('int_controller_limits') }} as limits
    on
        links.controller_id = limits.controller_id
        and links.profile_id = limits.profile_id
        and links.raid_level = limits.raid_level
        and links.left_out is not distinct from limits.left_out
