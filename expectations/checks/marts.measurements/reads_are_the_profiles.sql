-- the share of reads matches the load profile
-- severity: warning
select
    source_path,
    source_position,
    read_ratio,
    read_iops,
    write_iops,
    iops,
from marts.measurements
where
    is_valid
    and coalesce(read_iops, write_iops) is not null
    and abs(coalesce(read_iops, 0) / nullif(iops, 0) - read_ratio) > $read_share_tolerance
