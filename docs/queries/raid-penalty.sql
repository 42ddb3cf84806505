-- How much slower than RAID 0 is each RAID level, measured and by disk operations?
-- asked by: a storage engineer
select
    comparison_label as comparison,
    round(measured_ratio, 2) as measured,
    round(theoretical_ratio, 2) as in_theory,
    round(measured_ratio / theoretical_ratio, 2) as measured_over_theory,
from rpt_raid_levels
where theoretical_ratio < 1
order by measured_over_theory, comparison;
