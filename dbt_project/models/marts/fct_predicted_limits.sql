-- Each of the limits that a prediction is the least of, in practice.
select
    arrays.controller_id,
    arrays.raid_level,
    arrays.drive_id,
    arrays.drive_count,
    profile_id,
    unnest(limits.limits, recursive := true) as fields,
from {{ ref('int_ceilings_by_basis') }} as limits
inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
where limits.purpose = 'what-if' and limits.basis = 'practical'
