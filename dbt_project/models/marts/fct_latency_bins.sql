-- Bins of several processes add up. Where fio printed the fine bins (json+), which have counts, the
-- coarse ones, which have shares, are not needed.
with bins as (
    select
        entries.file_id,
        entries.measurement_id,
        bins.* exclude (file_id, job_index, latency_us, io_count, io_ratio),
        try_cast(sum(bins.io_count) as bigint) as io_count,
        {{ ordered_sum('bins.io_ratio * entries.io_share_ratio') }} as io_ratio,
    from {{ ref('stg_fio__latency_bins') }} as bins
    inner join {{ ref('int_fio__jobs') }} as entries using (file_id, job_index)
    where not entries.is_summary
    group by all
    union all by name
    select
        files.file_id,
        'iometer-' || files.source_id || '-' || bins.line as measurement_id,
        'mixed' as direction,
        'lat' as latency_kind,
        lower_us,
        upper_us,
        io_count,
    from {{ ref('stg_iometer__latency_bins') }} as bins
    inner join {{ ref('stg_files') }} as files using (file_id)
)

select
    * replace (
        coalesce(
            io_ratio,
            io_count / sum(io_count) over (partition by measurement_id, direction, latency_kind)
        ) as io_ratio
    ),
from bins
qualify bins.io_ratio is null or count(io_count) over (partition by measurement_id) = 0
