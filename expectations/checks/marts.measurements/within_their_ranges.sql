-- a value is between its minimum and its maximum
-- severity: warning
select
    source_path,
    source_position,
    min_iops,
    iops,
    max_iops,
    min_bytes_per_second,
    bytes_per_second,
    max_bytes_per_second,
    min_latency_mean_us,
    latency_mean_us,
    max_latency_mean_us,
from marts.measurements
where
    iops < min_iops
    or iops > max_iops
    or min_iops > max_iops
    or bytes_per_second < min_bytes_per_second
    or bytes_per_second > max_bytes_per_second
    or min_bytes_per_second > max_bytes_per_second
    or latency_mean_us < min_latency_mean_us
    or latency_mean_us > max_latency_mean_us
    or min_latency_mean_us > max_latency_mean_us
