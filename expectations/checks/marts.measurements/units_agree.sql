-- IOPS x block size and throughput have the same magnitude; otherwise a unit is wrong
-- severity: critical
select
    source_path,
    source_position,
    iops,
    block_bytes,
    bytes_per_second,
from marts.measurements
where
    is_valid
    and iops between $iops_min and $iops_max
    and bytes_per_second between $bytes_per_second_min and $bytes_per_second_max
    and iops * block_bytes / bytes_per_second not between 1 / $units_max_ratio and $units_max_ratio
