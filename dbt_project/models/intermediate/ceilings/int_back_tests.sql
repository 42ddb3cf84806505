-- What predictions are tested on: the best that a page says of an array at a load profile, and the
-- best that own runs reached. One outstanding I/O shows the latency and not what can be reached; a
-- lower bound does not say how far off a prediction is.
select distinct on (array_id, profile_id, document_id, page)
    measurement_id,
    document_id,
    page,
    array_id,
    profile_id,
    controller_id,
    drive_id,
    drive_interface,
    drive_media,
    raid_level,
    drive_count,
    iops,
    bytes_per_second,
    value_qualifier,
from {{ ref('int_measurements') }}
where
    is_valid
    and not is_derived
    and value_qualifier in ('exact', 'approximate', 'at_most')
    and outstanding_io_count is distinct from 1
    and has_own_processor is not true
    and coalesce(iops, bytes_per_second) is not null
order by coalesce(bytes_per_second, iops) desc, measurement_id asc
