-- the mean of fio's IOPS and bandwidth samples is between minimum and maximum
-- severity: warning
select
    file_id,
    job_index,
    direction,
    iops_min,
    iops_mean,
    iops_max,
    bw_min_kib_per_second,
    bw_mean_kib_per_second,
    bw_max_kib_per_second,
from raw.fio_directions
where
    iops_min > iops_mean
    or iops_mean > iops_max
    or bw_min_kib_per_second > bw_mean_kib_per_second
    or bw_mean_kib_per_second > bw_max_kib_per_second
