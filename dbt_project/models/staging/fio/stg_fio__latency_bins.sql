-- json+ prints the middle of each bin: exact below 128 units, then 64 bins for each power of two
-- (stat.c plat_idx_to_val), so that a bin is as wide as its middle's power of two over 64.
with bins as (
    select
        file_id,
        job_index,
        direction,
        latency_kind,
        latency_unit,
        unnest(bin_latencies) as middle,
        unnest(bin_counts) as io_count,
    from {{ source('raw', 'fio_latencies') }}
    where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
),

widths as (
    select
        *,
        case when middle < 128 then 1 else 2 ** (floor(log2(middle)) - 6) end as width,
    from bins
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
from widths
