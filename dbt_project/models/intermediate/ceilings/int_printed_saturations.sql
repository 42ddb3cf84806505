-- The number of drives that saturates a controller at a RAID level, as documents print it. One
-- drive fewer does not, which bounds the rate of each drive, at this level and at those that cost
-- the controller more. A number printed for several load profiles is the highest of theirs: at one
-- of them, one drive fewer may do. The lowest of several bounds counts.
with claims as (
    select
        * exclude (profile),
        {{ each_of('profile') }} as profile,
        contains(profile, '; ') as is_of_several_profiles,
    from {{ ref('int_claims') }}
    where
        metric = 'drives_to_saturate' and relation = 'value' and edition_order = 1 and factor > 1
)

select distinct on (controller_id, raid_level, drive_id, profile_id, left_out)
    twins.controller_id,
    twins.raid_level,
    {{ slug('claims.drive') }} as drive_id,
    profiles.profile_id,
    limits.left_out,
    try_cast(claims.factor as bigint) as saturating_drive_count,
    claims.raid_level = twins.raid_level as is_own_level,
    levels.random_write_operation_count as saturated_operation_count,
    coalesce(limits.known_from in ('controller', 'twin'), false) as has_printed_limit,
    -- below the limit by at least one I/O per second
    if(claims.is_of_several_profiles, null, (limits.iops - 1) / (claims.factor - 1))
        as most_iops_of_a_drive,
from claims
inner join {{ ref('int_white_papers__profiles') }} as profiles
    on claims.document_id = profiles.document_id and claims.profile = profiles.profile_name
inner join {{ ref('int_controller_twins') }} as twins
    on
        {{ slug('claims.controller') }} = twins.twin_controller_id
        and claims.raid_level = twins.cheaper_raid_level
inner join {{ ref('dim_raid_levels') }} as levels on claims.raid_level = levels.raid_level
left join {{ ref('int_controller_limits') }} as limits
    on
        twins.controller_id = limits.controller_id
        and claims.raid_level = limits.raid_level
        and profiles.profile_id = limits.profile_id
order by
    most_iops_of_a_drive asc, is_own_level desc, has_printed_limit asc,
    saturated_operation_count desc, claims.document_id asc, claims.line asc
