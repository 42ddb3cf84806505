-- Only measurements with several parts: fio prints the percentiles of a single one.
with parts as (
    select
        parts.measurement_id,
        parts.file_id,
        parts.job_index,
        parts.direction,
        wholes.latency_direction,
    from {{ ref('int_fio__directions') }} as parts
    cross join unnest(parts.latency_directions) as wholes (latency_direction)
    qualify count(*) over (partition by measurement_id, latency_direction) > 1
),

bins as (
    select
        parts.latency_direction,
        parts.file_id,
        parts.measurement_id,
        bins.* exclude (file_id, job_index, io_ratio),
        'merged bins' as method,
    from parts
    inner join {{ ref('stg_fio__latency_bins') }} as bins using (file_id, job_index, direction)
    where bins.io_count is not null
    union all by name
    -- a log counts once for all entries of its measurement, even if it has copies
    select distinct
        parts.latency_direction,
        parts.file_id,
        parts.measurement_id,
        bins.*,
        logs.latency_kind,
        'merged histogram log' as method,
    from parts
    inner join {{ ref('int_fio__logs') }} as logs using (measurement_id)
    inner join {{ ref('stg_fio__histogram_bins') }} as bins
        on logs.file_id = bins.log_file_id and parts.direction = bins.direction
),

histograms as (
    select
        file_id,
        measurement_id,
        latency_direction as direction,
        latency_kind,
        method,
        lower_us,
        upper_us,
        latency_us,
        sum(io_count) as bin_count,
    from bins
    group by all
)

select
    *,
    sum(bin_count) over (whole order by lower_us) as running_count,
    sum(bin_count) over whole as total_count,
from histograms
window whole as (partition by measurement_id, direction, latency_kind, method)
-- sorted, so that a query for some measurements does not read all bins
order by measurement_id
