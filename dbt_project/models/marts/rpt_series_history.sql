-- Every run of a series of more than one run, with the change label of its newest run. Refs leave
-- out the database name, which differs in a published copy of the file.
{{ config(materialized='view') }}
with newest as (
    select
        runs.series_id,
        changes.value_label,
        changes.history_change_label,
        changes.history_change_ratio,
        changes.run_verdict,
        changes.measurement_id as newest_measurement_id,
        -- adds what distinguishes series of one array, profile and depth
        concat_ws(
            ', ', runs.array_label, profiles.profile_short_label,
            if(
                count(*) over (
                    partition by runs.array_label, runs.profile_id, runs.outstanding_io_count
                ) > 1,
                nullif(concat_ws(
                    ', ', {{ counted('runs.worker_count', 'worker') }}, runs.io_engine,
                    runs.condition
                ), ''), null
            )
        ) as series_label,
    from {{ ref('rpt_newest_runs').include(database=false) }} as changes
    inner join {{ ref('rpt_measurements').include(database=false) }} as runs using (measurement_id)
    left join {{ ref('dim_load_profiles').include(database=false) }} as profiles
        on runs.profile_id = profiles.profile_id
    where changes.earlier_run_count > 0
)

select
    runs.series_id,
    runs.array_label,
    runs.profile_label,
    newest.series_label,
    runs.measured_at,
    runs.headline_value,
    newest.value_label,
    newest.history_change_label,
    newest.history_change_ratio,
    newest.run_verdict,
    newest.newest_measurement_id,
from newest
inner join {{ ref('rpt_measurements').include(database=false) }} as runs using (series_id)
where
    runs.is_valid
    and not runs.is_derived
    and runs.headline_value is not null
    and runs.measured_at is not null
    and runs.is_superseded is not true
