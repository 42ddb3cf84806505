-- fio's latency bins hold no more I/Os than were timed
-- severity: warning
select
    file_id,
    job_index,
    direction,
    latency_kind,
    sample_count,
    list_sum(bin_counts) as binned_io_count,
from raw.fio_latencies
where list_sum(bin_counts) > sample_count
