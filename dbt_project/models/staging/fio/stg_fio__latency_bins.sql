-- json+ prints the middle of each bin: exact below 128 units, then 64 bins for each power of two
-- (stat.c plat_idx_to_val), so that a bin is as wide as its middle's power of two over 64.
with bins as (
    select
        *,
        unnest(bin_latencies) as middle,
        unnest(bin_counts) as io_count,
        if(middle < 128, 1, 2 ** (floor(log2(middle)) - 6)) as width,
    from {{ source('raw', 'fio_latencies') }}
)

select
    -- ids
    file_id,
    job_index,
    direction,

    -- categories
    latency_kind,

    -- measures
    {{ to_us('greatest(middle - width / 2, 0)', 'latency_unit') }} as lower_us,
    {{ to_us('(middle + width / 2)', 'latency_unit') }} as upper_us,
    io_count,
from bins
