-- At which block size does the limit change from IOPS to throughput?
-- asked by: a storage engineer
with best as (
    select
        setup_label,
        block_bytes,
        max(iops) as iops,
        max(bytes_per_second) as bytes_per_second,
    from rpt_measurements
    where
        is_valid
        and not is_superseded
        and access_pattern = 'random'
        and read_ratio = 1
        and block_bytes is not null
    group by setup_label, block_bytes
)

select
    setup_label as setup,
    block_bytes,
    cast(iops as bigint) as iops,
    cast(bytes_per_second / 1e6 as bigint) as megabytes_per_second,
    round(iops / max(iops) over setups, 2) as of_most_iops,
    round(bytes_per_second / max(bytes_per_second) over setups, 2) as of_most_throughput,
from best
window setups as (partition by setup_label)
qualify count(*) over setups >= 4
order by setup_label, block_bytes;
