-- The most that a controller does at a RAID level and load profile, with any drives: what a
-- document calls its limit (its own before a twin's, exact before approximate). A level never does
-- more than one that costs the controller less. What is said of one load or one processor holds for
-- that alone. Once for each value that a back-test leaves out, and once with all of them.
with leaving_out as (
    select
        *,
        measurement_id as left_out,
    from {{ ref('int_measurements') }}
    where is_back_test and controller_id is not null
    union all by name
    select null as left_out
),

printed as (
    select distinct on (
        leaving_out.left_out, twins.controller_id, points.raid_level, points.profile_id
    )
        leaving_out.left_out,
        twins.controller_id,
        points.raid_level,
        points.profile_id,
        points.iops,
        points.bytes_per_second,
        points.measurement_id,
        points.controller as stated_controller,
        if(points.controller_id = twins.controller_id, 'controller', 'twin') as known_from,
    from {{ ref('int_measurements') }} as points
    inner join {{ ref('int_controller_twins') }} as twins
        on points.controller_id = twins.twin_controller_id
    inner join leaving_out
        on leaving_out.left_out is null or twins.controller_id = leaving_out.controller_id
    where
        points.limit_of = 'controller'
        and points.raid_level is not null
        and points.outstanding_io_count is null
        and points.has_own_processor is not true
        and not coalesce({{ is_left_out('points', 'leaving_out') }}, false)
        and coalesce(points.iops, points.bytes_per_second) is not null
    order by
        known_from asc,
        points.value_qualifier = 'approximate' asc,
        coalesce(points.bytes_per_second, points.iops) desc,
        points.measurement_id asc
)

select distinct on (
    printed.left_out, printed.controller_id, costlier.raid_level, printed.profile_id
)
    printed.* replace (
        costlier.raid_level as raid_level,
        if(costlier.raid_level = printed.raid_level, printed.known_from, 'cheaper level')
            as known_from
    ),
    printed.raid_level as stated_raid_level,
from printed
inner join {{ ref('raid_levels') }} as stated using (raid_level)
inner join {{ ref('raid_levels') }} as costlier
    on stated.raid_level = costlier.raid_level or {{ does_less_work('stated', 'costlier') }}
order by
    coalesce(printed.bytes_per_second, printed.iops) asc,
    costlier.raid_level = printed.raid_level desc,
    printed.measurement_id asc
