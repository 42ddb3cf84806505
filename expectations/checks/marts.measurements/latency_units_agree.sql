-- IOPS x mean latency is not a hundred times the outstanding I/Os
-- severity: critical
select
    source_path,
    source_position,
    iops,
    latency_mean_us,
    outstanding_io_count,
from marts.measurements
where
    is_valid
    and value_qualifier = 'exact'
    and littles_law_ratio > $littles_law_max_unit_ratio
    and latency_mean_us <= $latency_mean_us_max
    and iops <= $iops_max
