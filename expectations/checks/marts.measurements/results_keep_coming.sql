-- regular results keep coming
-- severity: warning
with days as (
    select
        cast(measured_at as date) as measured_on,
        max(source_path) as source_path,
    from marts.measurements
    where
        source_format != 'white_paper' and measured_at <= now() at time zone 'UTC' + interval 1 day
    group by measured_on
),

newest as (
    select
        max(measured_on) as newest_on,
        max_by(source_path, measured_on) as source_path,
    from days
)

select
    any_value(newest_on) as newest_on,
    any_value(newest.source_path) as source_path,
    count(*) as day_count,
from newest
inner join days on measured_on > newest_on - $freshness_window_days
having
    count(*) >= $freshness_min_days
    and any_value(newest_on) >= current_date - $freshness_window_days
    and any_value(newest_on) < current_date - $freshness_max_age_days
