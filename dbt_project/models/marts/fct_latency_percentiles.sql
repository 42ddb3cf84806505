select
    'fio-' || left(file_id, 12) || '-' || job_index as measurement_id,
    direction,
    latency_kind,
    percentile_ratio,
    latency_us,
from {{ ref('stg_fio__percentiles') }}
