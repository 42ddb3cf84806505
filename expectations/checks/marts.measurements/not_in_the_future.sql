-- no measurement is in the future
-- severity: warning
select
    source_path,
    source_position,
    measured_at,
from marts.measurements
where
    measured_at
    > cast(now() at time zone 'UTC' as timestamp) + $clock_tolerance_hours * interval 1 hour
