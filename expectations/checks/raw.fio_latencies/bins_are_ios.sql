-- fio's latency bins hold no more I/Os than were timed
-- severity: warning
with failing as (
    select
        file_id,
        job_index,
        direction,
        latency_kind,
        sample_count,
        list_sum(bin_counts) as binned_io_count,
    from raw.fio_latencies
    where list_sum(bin_counts) > sample_count
)

select
    sources.path as source_path,
    failing.*
from failing
inner join raw.sources as sources using (file_id)
where sources.is_current
