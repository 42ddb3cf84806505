-- The most that a controller does at a RAID level and load profile, with any drives: what a
-- document calls its limit (its own before a twin's, exact before approximate). A level never does
-- more than one that costs the controller less. What is said of one load holds for that load only.
with printed as (
    select
        twins.controller_id,
        points.raid_level,
        points.profile_id,
        points.iops,
        points.bytes_per_second,
        points.measurement_id,
        points.document_id,
        points.page,
        if(points.controller_id = twins.controller_id, 'controller', 'twin') as known_from,
    from {{ ref('int_measurements') }} as points
    inner join {{ ref('int_controller_twins') }} as twins
        on points.controller_id = twins.twin_controller_id
    where
        points.limit_of = 'controller'
        and points.raid_level is not null
        and points.outstanding_io_count is null
        and coalesce(points.iops, points.bytes_per_second) is not null
    qualify
        row_number() over (
            partition by twins.controller_id, points.raid_level, points.profile_id
            order by
                known_from asc,
                points.value_qualifier = 'approximate' asc,
                coalesce(points.bytes_per_second, points.iops) desc,
                points.measurement_id asc
        ) = 1
)

select
    printed.* replace (
        costlier.raid_level as raid_level,
        if(costlier.raid_level = printed.raid_level, printed.known_from, 'cheaper level')
            as known_from
    ),
    printed.raid_level as stated_raid_level,
from printed
inner join {{ ref('raid_levels') }} as stated using (raid_level)
inner join {{ ref('raid_levels') }} as costlier
    on
        stated.raid_level = costlier.raid_level
        or {{ does_less_work('stated', 'costlier') }}
qualify
    row_number() over (
        partition by printed.controller_id, costlier.raid_level, printed.profile_id
        order by
            coalesce(printed.bytes_per_second, printed.iops) asc,
            costlier.raid_level = printed.raid_level desc,
            printed.measurement_id asc
    ) = 1
