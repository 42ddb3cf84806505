-- How much slower than the median is one I/O in a thousand, at the knee?
-- asked by: a storage engineer
select
    curve_label as setup,
    profile_label as profile,
    outstanding_io_count,
    cast(latency_p50_us as bigint) as p50_us,
    cast(latency_p99_us as bigint) as p99_us,
    cast(latency_p999_us as bigint) as p999_us,
    round(latency_p999_us / latency_p50_us, 1) as p999_over_p50,
from rpt_response_curves
where is_knee and latency_p999_us is not null
qualify
    row_number() over (
        partition by array_id, profile_id order by latency_p999_us / latency_p50_us desc
    ) = 1
order by p999_over_p50 desc, setup asc, profile asc;
