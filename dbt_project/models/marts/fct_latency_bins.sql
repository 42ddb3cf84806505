-- Bins of several processes add up. Where fio printed the fine bins (json+), which have counts, the
-- coarse ones, which have shares, are not needed.
with iometer_bins as (
    select
        files.file_id,
        'iometer-' || files.source_id || '-' || bins.line as measurement_id,
        'mixed' as direction,
        'lat' as latency_kind,
        bins.lower_us,
        bins.upper_us,
        bins.io_count,
        -- Iometer never fills the last bin: I/Os that no bin counts took 10 s or longer
        try(results.read_io_count + results.write_io_count)
        - sum(bins.io_count) over (partition by files.source_id, bins.line) as uncounted,
    from {{ source('raw', 'iometer_latency_bins') }} as bins
    inner join {{ source('raw', 'iometer_results') }} as results using (file_id, line)
    inner join {{ ref('stg_files') }} as files using (file_id)
    where results.row_type = 'ALL'
),

bins as (
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
        * exclude (uncounted) replace (
            case
                when upper_us is not null then io_count
                when uncounted >= 0 then try_cast(uncounted + io_count as bigint)
            end as io_count
        ),
    from iometer_bins
),

totals as (
    select
        measurement_id,
        direction,
        latency_kind,
        sum(io_count) as total_count,
    from bins
    where io_count is not null
    group by all
)

select bins.* replace (coalesce(bins.io_ratio, bins.io_count / total_count) as io_ratio),
from bins
left join totals using (measurement_id, direction, latency_kind)
where
    bins.io_ratio is null
    or bins.measurement_id not in (select counted.measurement_id from totals as counted)
