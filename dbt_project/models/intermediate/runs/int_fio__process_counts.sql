-- Where fio hides numjobs, its samples may tell how many processes a group had (2.99 to 3.3): each
-- takes one every half second. A second sign has to say the same number, which no other fits: their
-- mean is the rate of one process, or the I/Os in flight are as many as one has. Nothing is known
-- if a process had half a second without an I/O, or ended before the others, which more than one
-- might: it did its whole size.
with samples as (
    select
        jobs.file_id,
        jobs.job_index,
        jobs.rw in ('rw', 'readwrite', 'randrw') as is_mixed,
        rates.sample_count,
        nullif(floor(rates.runtime_seconds / 0.5), 0) as most_each,
        ceil(rates.sample_count / most_each) as least_count,
        rates.iops / nullif(rates.mean_sampled_iops, 0) / least_count as rate_ratio,
        rates.iops * rates.latency_mean_us / 1e6 / if(jobs.is_synchronous, 1, jobs.io_depth)
        / least_count as in_flight_ratio,
        least_count = 1 or coalesce(
            rates.max_sampled_iops * rates.runtime_seconds
            * rates.bytes_per_second / nullif(rates.iops, 0) < jobs.file_size_bytes, false
        ) as is_none_early,
        not jobs.has_think_time
        and rates.min_sampled_iops >= 8
        and rates.latency_max_us < 500000 as is_without_gap,
    from {{ ref('stg_fio__jobs') }} as jobs
    inner join {{ ref('stg_fio__directions') }} as rates using (file_id, job_index)
    where jobs.is_numjobs_hidden and jobs.sibling_count = 1 and rates.direction != 'sync'
)

select
    file_id,
    job_index,
    try_cast(min(least_count) as bigint) as process_count,
from samples
group by file_id, job_index
having
    min(least_count) = max(least_count)
    and (count(*) = 1 or bool_and(is_mixed))
    and bool_and(coalesce(
        is_without_gap
        and is_none_early
        and sample_count >= least_count * (most_each - 1)
        and sample_count < (least_count + 1) * (most_each - 1)
        and (rate_ratio between 0.99 and 1.01 or in_flight_ratio between 0.98 and 1.01), false
    ))
