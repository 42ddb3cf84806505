-- latency_mean_us is physically possible
-- severity: critical
select
    source_path,
    source_position,
    latency_mean_us,
from marts.measurements
where is_valid and (latency_mean_us not between $latency_mean_us_min and $latency_mean_us_max)
