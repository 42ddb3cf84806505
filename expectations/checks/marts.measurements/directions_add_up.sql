-- read + write is the total
-- severity: warning
select
    source_path,
    source_position,
    read_iops,
    write_iops,
    iops,
    read_bytes_per_second,
    write_bytes_per_second,
    bytes_per_second,
from marts.measurements
where
    abs(read_iops + write_iops - iops) > $directions_identity_tolerance_ratio * iops
    or abs(read_bytes_per_second + write_bytes_per_second - bytes_per_second)
    > $directions_identity_tolerance_ratio * bytes_per_second
