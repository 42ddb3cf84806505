-- no run is loaded twice, under two names or in one file
-- severity: warning
-- Grouped by a hash, because all groups of ten million runs are kept until the last run is read.
with runs as (
    select
        *,
        hash(measured_at, profile_id, iops, bytes_per_second, latency_mean_us, latency_max_us)
            as run,
    from marts.measurements
    where source_format != 'white_paper' and latency_mean_us is not null
),

again as (
    select run
    from runs
    group by run
    having count(*) > 1
)

select
    min(source_path) as source_path,
    min_by(source_position, (source_path, source_position)) as source_position,
    max(source_path) as other_source_path,
    max_by(source_position, (source_path, source_position)) as other_source_position,
    measured_at,
    profile_id,
    iops,
    bytes_per_second,
    latency_mean_us,
    latency_max_us,
from runs
semi join again using (run)
group by all
having count(*) > 1
