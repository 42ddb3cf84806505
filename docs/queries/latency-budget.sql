-- How many random 4 KiB reads per second does each array reach with p99 latency within 1 ms?
-- asked by: a storage engineer
select
    array_label,
    condition,
    cast(iops as bigint) as iops,
    outstanding_io_count,
    cast(latency_p99_us as bigint) as p99_us,
    source_label as source,
from rpt_measurements
where
    is_valid
    and not is_superseded
    and profile_id = 'random-read100-4KiB'
    and latency_p99_us <= 1000
qualify row_number() over (partition by array_id order by rpt_measurements.iops desc) = 1
order by rpt_measurements.iops desc;
