-- what a tool reports or a paper prints is physically possible
-- severity: warning
select
    source_path,
    source_position,
    validity_note,
from marts.measurements
where not is_plausible
