-- What one drive contributes at most where a document says how many drives bring a controller to
-- its limit: one fewer does not. What is said of several load profiles together is no profile's.
-- A level that costs the controller more gets no more of a drive. Of several bounds the least
-- counts.
select distinct on (controller_id, raid_level, drive_id, profile_id, left_out)
    limits.controller_id,
    levels.raid_level,
    {{ slug('claims.drive') }} as drive_id,
    limits.profile_id,
    limits.left_out,
    claims.factor as drive_count,
    limits.iops / (claims.factor - 1) as most_iops_of_a_drive,
from {{ ref('stg_white_papers__claims') }} as claims
inner join {{ ref('int_white_papers__profiles') }} as profiles
    on claims.document_id = profiles.document_id and claims.profile = profiles.profile_name
inner join {{ ref('int_controller_twins') }} as twins
    on {{ slug('claims.controller') }} = twins.twin_controller_id
inner join {{ ref('int_controller_limits') }} as limits
    on
        twins.controller_id = limits.controller_id
        and claims.raid_level = limits.raid_level
        and profiles.profile_id = limits.profile_id
inner join {{ ref('raid_levels') }} as stated on claims.raid_level = stated.raid_level
inner join {{ ref('raid_levels') }} as levels
    on stated.raid_level = levels.raid_level or {{ does_less_work('stated', 'levels') }}
where
    claims.metric = 'drives_to_saturate'
    and claims.relation = 'value'
    and claims.edition_order = 1
    and not contains(claims.profile, '; ')
    and claims.factor > 1
order by most_iops_of_a_drive asc, claims.document_id asc, claims.line asc
