-- fio's mean latency is between its minimum and its maximum
-- severity: warning
select
    file_id,
    job_index,
    direction,
    latency_kind,
    latency_unit,
    latency_min,
    latency_mean,
    latency_max,
from raw.fio_latencies
where latency_min > latency_mean or latency_mean > latency_max
