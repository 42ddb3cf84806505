-- regular results keep coming
-- severity: warning
with recent_days as (
    select
        cast(measured_at as date) as measured_on,
        max(source_path) as source_path,
    from marts.measurements
    where
        source_format != 'white_paper' and measured_at <= now() at time zone 'UTC' + interval 1 day
    group by measured_on
    qualify measured_on > max(measured_on) over () - $freshness_window_days
)

select
    max(measured_on) as newest_on,
    max_by(source_path, measured_on) as source_path,
    count(*) as day_count,
from recent_days
having
    count(*) >= $freshness_min_days
    and max(measured_on) >= current_date - $freshness_window_days
    and max(measured_on) < current_date - $freshness_max_age_days
