-- What limits each array, and how much would it gain without that limit?
-- asked by: a storage engineer
select
    array_label,
    profile_label as profile,
    attained_label as of_ceiling,
    binding_ceiling as limited_by,
    next_binding_ceiling as then_limited_by,
    round(upgrade_ratio, 2) as times,
from rpt_headroom
where ceiling_scope = 'all limits known' and upgrade_ratio is not null
order by comparable_attained_ratio desc, array_label asc, profile asc;
