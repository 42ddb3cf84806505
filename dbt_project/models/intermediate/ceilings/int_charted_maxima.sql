-- What bars of a chart cannot exceed: the end of its axis, for each array and load profile it
-- shows.
select
    {{ slug('each_controller') }} as controller_id,
    each_level as raid_level,
    {{ slug('drive') }} as drive_id,
    try_cast(drive_count as bigint) as drive_count,
    profiles.profile_id,
    min(axis_maximum_iops) as iops,
    min(axis_maximum_bytes_per_second) as bytes_per_second,
from {{ ref('stg_white_papers__figures') }} as figures
cross join {{ each_of('figures.controller') }} as controllers (each_controller)
cross join {{ each_of('figures.raid_level') }} as levels (each_level)
cross join {{ each_of('figures.profile') }} as names (profile_name)
inner join {{ ref('int_white_papers__profiles') }} as profiles
    on
        figures.document_id = profiles.document_id
        and names.profile_name = profiles.profile_name
where x_axis = 'load profile' and coalesce(axis_maximum_iops, axis_maximum_bytes_per_second) > 0
group by all
