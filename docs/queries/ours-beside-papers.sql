-- How do our own runs compare with printed values of the same controller and RAID level?
-- asked by: a lab
select
    profile_label as profile,
    array_label as system,
    value_label as ours,
    attained_label as of_ceiling,
    verdict,
    published_value_label || ': ' || published_array_label as printed,
    round(published_ratio, 2) as ratio,
from rpt_own_results
order by ratio desc nulls last, profile asc, ours asc;
