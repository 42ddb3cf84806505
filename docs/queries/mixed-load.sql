-- How much of the read-only IOPS is left when some of the random 4 KiB I/Os are writes?
-- asked by: a storage engineer
with best as (
    select
        array_label,
        read_ratio,
        max_by(marked_label, iops) as marked_label,
        max(iops) as iops,
    from rpt_measurements
    where
        is_valid
        and not is_superseded
        and access_pattern = 'random'
        and block_bytes = 4096
        and drive_count > 1
    group by array_label, read_ratio
)

select
    marked_label as array_label,
    read_ratio,
    cast(iops as bigint) as iops,
    round(iops / max(iops) filter (where read_ratio = 1) over arrays, 2) as of_pure_reads,
from best
window arrays as (partition by array_label)
qualify count(*) over arrays > 1 and bool_or(read_ratio = 1) over arrays
order by array_label asc, read_ratio desc;
