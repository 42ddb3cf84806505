-- Which files could not be read, and why?
-- asked by: a lab
select
    reason,
    count(*) as files,
    min(path) as such_as,
from quality.quarantined_files
group by reason
order by files desc, reason asc;
