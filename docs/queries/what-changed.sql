-- How do the newest runs compare with the runs before them?
-- asked by: a lab
select
    array_label,
    profile_label as profile,
    value_label as newest,
    history_label as before,
    history_change_label as change,
    measured_at,
from rpt_newest_runs
order by abs(history_change_ratio) desc nulls last, measured_at desc, profile asc, newest asc;
