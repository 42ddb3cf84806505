-- The most that a document states of a controller at a RAID level and load profile, with whatever
-- drives: what it takes to reach it, another array of the same controller does not exceed.
select
    controller_id,
    raid_level,
    profile_id,
    max(iops) as iops,
    max(bytes_per_second) as bytes_per_second,
    arg_max(array_id, coalesce(bytes_per_second, iops)) as array_id,
    arg_max(measurement_id, coalesce(bytes_per_second, iops)) as measurement_id,
from {{ ref('int_measurements') }}
where
    document_id is not null
    and controller_id is not null
    and value_qualifier != 'at_least'
    and coalesce(iops, bytes_per_second) is not null
group by controller_id, raid_level, profile_id
