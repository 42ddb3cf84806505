-- What one drive contributes at most where a document says how many drives bring a controller to
-- its limit: one fewer does not. What is said of several load profiles together is no profile's.
-- A level that costs the controller more gets no more of a drive. Of several bounds the least
-- counts.
select distinct on (controller_id, raid_level, drive_id, profile_id, left_out)
    alike.controller_id,
    alike.raid_level,
    {{ slug('claims.drive') }} as drive_id,
    limits.profile_id,
    limits.left_out,
    claims.factor as drive_count,
    limits.iops / (claims.factor - 1) as most_iops_of_a_drive,
from {{ ref('stg_white_papers__claims') }} as claims
inner join {{ ref('int_white_papers__profiles') }} as profiles
    on claims.document_id = profiles.document_id and claims.profile = profiles.profile_name
inner join {{ ref('int_controller_twins') }} as alike
    on
        {{ slug('claims.controller') }} = alike.twin_controller_id
        and claims.raid_level = alike.cheaper_raid_level
inner join {{ ref('int_controller_limits') }} as limits
    on
        alike.controller_id = limits.controller_id
        and claims.raid_level = limits.raid_level
        and profiles.profile_id = limits.profile_id
where
    claims.metric = 'drives_to_saturate'
    and claims.relation = 'value'
    and claims.edition_order = 1
    and not contains(claims.profile, '; ')
    and claims.factor > 1
order by most_iops_of_a_drive asc, claims.document_id asc, claims.line asc
