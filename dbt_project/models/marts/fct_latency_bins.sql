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

bins as (
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
)

select
    bins.* exclude (file_id, job_index) replace (cast(bins.io_count as bigint) as io_count),
    jobs.measurement_id,
from bins
inner join {{ ref('int_fio__jobs') }} as jobs using (file_id, job_index)
where not jobs.is_part_of_another
union all by name
select
    'iometer-' || left(file_id, 12) || '-' || line as measurement_id,
    'mixed' as direction,
    'lat' as latency_kind,
    lower_us,
    upper_us,
    io_count,
    io_count / sum(io_count) over (partition by file_id, line) as io_ratio,
from {{ ref('stg_iometer__latency_bins') }}
