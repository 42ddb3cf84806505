-- Which measurements have no ceiling, and what would give them one?
-- asked by: a lab
select
    subject,
    missing_reason,
    remedy,
    measurement_count as measurements,
from rpt_missing_ceilings
order by measurements desc, subject asc;
