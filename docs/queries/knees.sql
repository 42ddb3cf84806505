-- At how many outstanding I/Os does more load only add latency?
-- asked by: a storage engineer
select
    curve_label as setup,
    profile_label as profile,
    outstanding_io_count as at_the_knee,
    cast(iops as bigint) as iops,
    cast(latency_mean_us as bigint) as latency_mean_us,
    cast(latency_p99_us as bigint) as latency_p99_us,
from rpt_response_curves
where is_knee
qualify row_number() over (partition by array_id, profile_id order by iops desc) = 1
order by iops desc, setup asc;
