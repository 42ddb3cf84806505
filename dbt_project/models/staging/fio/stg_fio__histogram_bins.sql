-- Sums over a whole log, which has one line per interval.
with bins as (
    select
        file_id as log_file_id,
        direction,
        latency_unit,
        unnest(bin_lower_latencies) as lower_latency,
        unnest(bin_upper_latencies) as upper_latency,
        unnest(bin_counts) as bin_count,
    from {{ source('raw', 'fio_histogram_samples') }}
)

select
    log_file_id,
    direction,
    {{ to_us('lower_latency', 'latency_unit') }} as lower_us,
    {{ to_us('upper_latency', 'latency_unit') }} as upper_us,
    sum(bin_count) as io_count,
from bins
group by all
