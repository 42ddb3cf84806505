select
    file_id,
    job_index,
    direction,
    latency_kind,
    bin_latencies is not null as has_bins,
    round(unnest(percentiles) / 100, 12) as percentile_ratio,
    {{ to_us('unnest(percentile_latencies)', 'latency_unit') }} as latency_us,
from {{ source('raw', 'fio_latencies') }}
