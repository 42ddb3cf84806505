-- fio's mean latency is between its minimum and its maximum
-- severity: warning
with failing as (
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
)

select
    sources.path as source_path,
    failing.*
from failing
inner join raw.sources as sources using (file_id)
where sources.is_current
