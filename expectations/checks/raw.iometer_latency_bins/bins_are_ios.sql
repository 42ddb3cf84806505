-- Iometer's latency bins hold no more I/Os than it counted
-- severity: warning
-- A large table is sampled: each day other files, with all their rows.
select
    bins.file_id,
    bins.line,
    sum(bins.io_count) as binned_io_count,
    any_value(results.read_io_count + results.write_io_count) as io_count,
from raw.iometer_latency_bins as bins
inner join raw.iometer_results as results using (file_id, line)
where
    hash(bins.file_id, current_date) <= (
        select cast(18446744073709551615 // (1 + count(*) // $sample_max_rows) as ubigint)
        from raw.iometer_latency_bins
    )
group by bins.file_id, bins.line
having binned_io_count > io_count
