-- bytes_per_second is physically possible
-- severity: critical
select
    source_path,
    source_position,
    bytes_per_second,
    max_bytes_per_second,
from marts.measurements
where
    is_valid
    and (
        bytes_per_second not between $bytes_per_second_min and $bytes_per_second_max
        or max_bytes_per_second not between $bytes_per_second_min and $bytes_per_second_max
    )
