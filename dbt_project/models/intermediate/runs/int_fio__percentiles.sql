with parts as (
    select
        parts.*,
        whole,
        count(*) over (partition by measurement_id, whole) as part_count,
    from {{ ref('int_fio__directions') }} as parts
    cross join unnest(latency_directions) as wholes (whole)
),

-- A percentile of the whole lies between the lowest and the highest of its parts.
printed as (
    select
        parts.file_id,
        parts.measurement_id,
        parts.whole as direction,
        percentiles.latency_kind,
        percentiles.percentile_ratio,
        parts.whole = parts.load_direction as is_of_load,
        parts.part_count,
        sum(parts.io_count) as io_count,
        min(percentiles.min_latency_us) as min_latency_us,
        max(percentiles.max_latency_us) as max_latency_us,
        bool_and(percentiles.has_bins) as has_bins,
    from parts
    inner join {{ ref('stg_fio__percentiles') }} as percentiles
        using (file_id, job_index, direction)
    where not percentiles.is_impossible
    group by all
    having count(*) = parts.part_count
),

-- The first bin at which the running count reaches the share, as in stat.c calc_clat_percentiles
-- (there 99.9 is a float and slightly more: the last of 1000 I/Os; so whole numbers of 2^-46 are
-- compared). fio prints a bin's middle. A log's bins may be joined by log_hist_coarseness; they are
-- interpolated as in fio-histo-log-pctiles.py. A log may lack the last interval.
merged as (
    select
        measurement_id,
        direction,
        latency_kind,
        percentile_ratio,
        bins.method,
        coalesce(
            bins.latency_us,
            lower_us + (upper_us - lower_us)
            * (percentile_ratio * total_count - running_count + bin_count) / bin_count
        ) as merged_us,
    from printed
    inner join {{ ref('int_fio__histograms') }} as bins
        using (measurement_id, direction, latency_kind)
    where
        part_count > 1
        and merged_us is not null
        and if(method = 'merged bins', has_bins, total_count >= 0.9 * io_count)
        -- counts of a damaged file may be too large to be multiplied
        and try(
            cast(round(percentile_ratio * 100, 10) * 2 ** 46 as hugeint) * total_count
            between (running_count - bin_count) * 7036874417766400 + 1
            and running_count * 7036874417766400
        )
    qualify row_number() over (
        partition by measurement_id, direction, latency_kind, percentile_ratio order by method
    ) = 1
)

select
    file_id,
    measurement_id,
    direction,
    latency_kind,
    percentile_ratio,
    coalesce(merged.method, 'printed') as method,
    coalesce(merged_us, if(min_latency_us = max_latency_us, min_latency_us, null)) as latency_us,
    if(latency_us is null, min_latency_us, null) as min_latency_us,
    if(latency_us is null, max_latency_us, null) as max_latency_us,
    -- total latency (lat) takes precedence over completion latency (clat)
    is_of_load and latency_kind = max(latency_kind) filter (where latency_kind != 'slat') over (
        partition by measurement_id, direction, percentile_ratio
    ) as is_of_measurement,
from printed
left join merged using (measurement_id, direction, latency_kind, percentile_ratio)
