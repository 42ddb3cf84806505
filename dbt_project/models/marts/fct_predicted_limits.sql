-- Each of the limits that a prediction is the lowest of, in practice.
select
    arrays.controller_id,
    arrays.raid_level,
    arrays.drive_id,
    arrays.drive_count,
    limits.* exclude (array_id, purpose, basis, is_unknown),
from {{ ref('int_limits') }} as limits
inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
where limits.purpose = 'what-if' and limits.basis = 'practical'
