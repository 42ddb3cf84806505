-- a tool's IOPS x block size equals its throughput
-- severity: warning
select
    source_path,
    source_position,
    iops,
    block_bytes,
    bytes_per_second,
from marts.measurements
where
    source_format != 'white_paper'
    and is_valid
    and abs(iops * block_bytes - bytes_per_second)
    > $throughput_identity_tolerance_ratio * bytes_per_second + 1024
