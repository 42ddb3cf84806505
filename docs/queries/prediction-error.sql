-- How far are predictions from measured values?
-- asked by: a buyer
select
    evidence,
    count(*) as predictions,
    count(*) filter (where predicted_ratio between 0.9 and 1.1) as within_a_tenth,
    round(quantile_cont(predicted_ratio, 0.1), 2) as tenth_lowest,
    round(median(predicted_ratio), 2) as median_ratio,
    round(quantile_cont(predicted_ratio, 0.9), 2) as tenth_highest,
from rpt_back_tests
group by evidence
order by within_a_tenth / predictions desc, evidence asc;
