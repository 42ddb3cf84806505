-- Share of the drives' random IOPS left as the share of reads falls: a write costs its level's
-- operations.
select
    levels.raid_level,
    cast(percents.percent / 100 as double) as read_ratio,
    cast(
        1 / (
            percents.percent / 100
            + (1 - percents.percent / 100) * levels.random_write_operation_count
        ) as double
    ) as remaining_iops_ratio,
from {{ ref('dim_raid_levels') }} as levels
cross join range(0, 101, 5) as percents (percent)
