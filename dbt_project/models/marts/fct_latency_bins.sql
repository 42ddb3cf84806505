-- A job of which fio printed the fine bins (json+) does not need the coarse ones. Those of several
-- processes add up.
with fine_bins as (
    select
        bins.file_id,
        entries.first_job_index as job_index,
        bins.direction,
        bins.latency_kind,
        bins.lower_us,
        bins.upper_us,
        sum(bins.io_count) as io_count,
    from {{ ref('stg_fio__latency_bins') }} as bins
    inner join {{ ref('int_fio__jobs') }} as entries using (file_id, job_index)
    group by all
),

coarse_bins as (
    select
        histograms.file_id,
        entries.first_job_index as job_index,
        'mixed' as direction,
        'clat' as latency_kind,
        histograms.lower_us,
        histograms.upper_us,
        sum(histograms.io_ratio * entries.io_share_ratio) as io_ratio,
    from {{ ref('stg_fio__latency_histograms') }} as histograms
    inner join {{ ref('int_fio__jobs') }} as entries using (file_id, job_index)
    group by all
),

fio_bins as (
    select
        *,
        io_count / sum(io_count) over (
            partition by file_id, job_index, direction, latency_kind
        ) as io_ratio,
    from fine_bins
    union all by name
    select *
    from coarse_bins
    anti join fine_bins using (file_id, job_index)
),

bins as (
    select
        bins.* exclude (file_id, job_index),
        jobs.measurement_id,
    from fio_bins as bins
    inner join {{ ref('int_fio__jobs') }} as jobs using (file_id, job_index)
    where not jobs.is_part_of_another
    union all by name
    select
        bins.lower_us,
        bins.upper_us,
        bins.io_count,
        bins.io_count / sum(bins.io_count) over (partition by bins.file_id, bins.line) as io_ratio,
        'iometer-' || left(bins.file_id, 12) || '-' || bins.line as measurement_id,
        'mixed' as direction,
        'lat' as latency_kind,
    from {{ ref('stg_iometer__latency_bins') }} as bins
)

select
    measurement_id,
    direction,
    latency_kind,
    cast(lower_us as double) as lower_us,
    cast(upper_us as double) as upper_us,
    cast(io_count as bigint) as io_count,
    cast(io_ratio as double) as io_ratio,
from bins
