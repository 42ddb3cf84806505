select
    'iometer-' || left(bins.file_id, 12) || '-' || bins.line as measurement_id,
    bins.lower_us,
    bins.upper_us,
    bins.io_count,
from {{ ref('stg_iometer__latency_bins') }} as bins
