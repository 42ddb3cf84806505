-- The limit of a controller at a RAID level and load profile, with any drives, as documents print
-- it (its own before a twin's, exact before approximate). A level never does more than one that
-- costs the controller less; a mix never has more reads than reads alone, or more writes than
-- writes alone. Limits at a single load or with a named processor are skipped. There is one set of
-- limits with all values, and one for each value that a back-test leaves out.
with leaving_out as (
    select
        *,
        measurement_id as left_out,
    from ({{ back_tests() }}) as tested
    where controller_id is not null
    union all by name
    select null as left_out
),

limits as (
    select
        points.*,
        -- some are printed in IOPS, others in bytes
        coalesce(points.bytes_per_second, points.iops * profiles.mean_block_bytes) as data_rate,
    from {{ ref('fct_measurements') }} as points
    left join {{ ref('int_load_profiles') }} as profiles using (profile_id)
    where
        points.is_valid
        and points.limit_of = 'controller'
        and points.outstanding_io_count is null
        and points.has_own_processor is not true
        and coalesce(points.iops, points.bytes_per_second) is not null
),

printed as (
    select distinct on (
        leaving_out.left_out, twins.controller_id, twins.raid_level, points.profile_id,
        points.raid_level
    )
        leaving_out.left_out,
        twins.controller_id,
        twins.raid_level,
        points.profile_id,
        points.iops,
        points.bytes_per_second,
        points.measurement_id,
        points.data_rate,
        case
            when points.raid_level != twins.raid_level then 'cheaper level'
            when points.controller_id != twins.controller_id then 'twin'
            else 'controller'
        end as known_from,
    from limits as points
    inner join {{ ref('int_controller_twins') }} as twins
        on
            points.controller_id = twins.twin_controller_id
            and points.raid_level = twins.cheaper_raid_level
    inner join leaving_out
        on leaving_out.left_out is null or twins.controller_id = leaving_out.controller_id
    where not coalesce({{ is_left_out('points', 'leaving_out') }}, false)
    order by
        points.controller_id = twins.controller_id desc,
        points.data_rate is null asc,
        points.value_qualifier = 'approximate' asc,
        coalesce(points.data_rate, points.iops) desc,
        points.measurement_id asc
),

known as (
    from printed
    union all by name
    select
        printed.* exclude (iops, bytes_per_second, data_rate, known_from, profile_id),
        mixes.profile_id,
        if(parts.read_ratio = 1, mixes.read_ratio, 1 - mixes.read_ratio) as share_ratio,
        printed.iops / share_ratio as iops,
        printed.bytes_per_second / share_ratio as bytes_per_second,
        printed.data_rate / share_ratio as data_rate,
        if(parts.read_ratio = 1, 'reads', 'writes') as known_from,
    from printed
    inner join {{ ref('int_load_profiles') }} as parts using (profile_id)
    inner join {{ ref('int_load_profiles') }} as mixes
        on
            parts.random_ratio = mixes.random_ratio
            and parts.block_mix = mixes.block_mix
            and parts.mean_block_bytes is not null
            and parts.read_ratio in (0, 1)
            and mixes.read_ratio > 0
            and mixes.read_ratio < 1
)

select distinct on (left_out, controller_id, raid_level, profile_id)
    left_out,
    controller_id,
    raid_level,
    profile_id,
    iops,
    bytes_per_second,
    measurement_id,
    known_from,
from known
order by
    data_rate is null asc,
    coalesce(data_rate, iops) asc,
    list_position(['controller', 'twin', 'reads', 'writes', 'cheaper level'], known_from) asc,
    measurement_id asc
