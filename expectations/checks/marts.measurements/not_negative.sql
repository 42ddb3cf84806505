-- of a valid measurement no part, count or duration is below 0, no depth reached above 1
-- severity: critical
select
    source_path,
    source_position,
    read_iops,
    write_iops,
    read_bytes_per_second,
    write_bytes_per_second,
    outstanding_io_count,
    worker_count,
    runtime_seconds,
    io_depth_reached_ratio,
from marts.measurements
where
    is_valid
    and (
        least(
            read_iops,
            write_iops,
            read_bytes_per_second,
            write_bytes_per_second,
            outstanding_io_count,
            worker_count,
            runtime_seconds,
            io_depth_reached_ratio
        )
        < 0
        or io_depth_reached_ratio > 1
    )
