-- IOPS x mean latency is at most the outstanding I/Os
-- severity: warning
select
    source_path,
    source_position,
    iops,
    latency_mean_us,
    outstanding_io_count,
from marts.measurements
where is_valid and value_qualifier = 'exact' and littles_law_ratio > $littles_law_max_ratio
