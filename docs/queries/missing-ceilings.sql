-- Which measurements have no ceiling, and which input is missing?
-- asked by: a lab
select
    subject,
    missing_reason,
    remedy,
    sum(measurement_count) as measurements,
from rpt_missing_ceilings
group by all
order by measurements desc, subject asc;
