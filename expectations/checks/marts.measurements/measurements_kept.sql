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
),

now as (
    select count(*) as measurement_count_now from marts.measurements
),

retired as (
    select count(*) as source_retired_count_now from raw.sources
    where not is_current
)

select * from before
cross join now
cross join retired
where measurement_count_now < (1 - $volume_max_loss_ratio) * measurement_count
