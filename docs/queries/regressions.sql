-- Where did a repeated measurement get worse for good, by how much, and since when?
-- asked by: a lab
select
    series_name as series,
    metric,
    changed_at,
    mean_before,
    mean_after,
    round(change_ratio, 3) as change,
    likely_reason,
from quality.change_points
where is_regression
order by changed_at desc;
