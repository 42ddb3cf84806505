-- p50 <= p95 <= p99 <= p99.9 <= maximum, minimum <= mean <= maximum
-- severity: warning
select
    source_path,
    source_position,
    latency_min_us,
    latency_mean_us,
    latency_p50_us,
    latency_p95_us,
    latency_p99_us,
    latency_p999_us,
    latency_max_us,
from marts.measurements
where
    is_valid
    and (
        latency_p50_us > latency_p95_us
        or latency_p95_us > latency_p99_us
        or latency_p99_us > latency_p999_us
        or latency_min_us > latency_mean_us * (1 + $latency_order_tolerance_ratio)
        or latency_mean_us > latency_max_us * (1 + $latency_order_tolerance_ratio)
        or greatest(latency_p50_us, latency_p95_us, latency_p99_us, latency_p999_us)
        > latency_max_us * (1 + $latency_order_tolerance_ratio)
    )
