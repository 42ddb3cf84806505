-- Which arrays get the most IOPS out of each drive with random 4 KiB reads?
-- asked by: a buyer
select
    array_label,
    cast(per_drive_headline_value as bigint) as iops_per_drive,
    value_label as iops,
    outstanding_io_count / drive_count as outstanding_per_drive,
    source_label as source,
from rpt_array_results
where profile_id = 'random-read100-4KiB' and drive_count is not null
order by per_drive_headline_value desc, array_label asc;
