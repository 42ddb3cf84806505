-- only a small share was lost, forgotten or replaced since the last published night
-- severity: warning
with before as (
    select
        run_id,
        measurement_count,
        source_retired_count,
    from quality.nightly_runs
    where status = 'published'
    qualify row_number() over (order by night_number desc, started_at desc) = 1
)

select
    *,
    (select count(*) from marts.measurements) as measurement_count_now,
    (select count(*) filter (where not is_current) from raw.sources) as source_retired_count_now,
from before
where measurement_count_now < (1 - $volume_max_loss_ratio) * measurement_count
