-- iops is physically possible
-- severity: critical
select
    source_path,
    source_position,
    iops,
    min_iops,
    max_iops,
from marts.measurements
where
    is_valid
    and (
        iops not between $iops_min and $iops_max
        or min_iops not between $iops_min and $iops_max
        or max_iops not between $iops_min and $iops_max
    )
