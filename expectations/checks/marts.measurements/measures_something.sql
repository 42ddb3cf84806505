-- a valid measurement has a rate or a latency
-- severity: critical
select
    source_path,
    source_position,
from marts.measurements
where
    is_valid
    and coalesce(
        iops,
        read_iops,
        write_iops,
        bytes_per_second,
        read_bytes_per_second,
        write_bytes_per_second,
        latency_mean_us,
        latency_p50_us,
        latency_p95_us,
        latency_p99_us,
        latency_p999_us,
        latency_min_us,
        latency_max_us,
        min_iops,
        max_iops,
        min_bytes_per_second,
        max_bytes_per_second,
        min_latency_mean_us,
        max_latency_mean_us
    ) is null
