-- Our newest run of each array, profile and load, beside the runs before it and the best value that
-- a document prints at the same profile and medium, of single drives for a single drive. Without a
-- medium there is no such value. A printed upper bound is never the best value.
with runs as (
    select
        *,
        median(headline_value) over earlier as history_value,
        min(headline_value) over earlier as least_value,
        max(headline_value) over earlier as most_value,
        count(*) over earlier as earlier_run_count,
        median(headline_value) over series as series_value,
        min(headline_value) over series as least_series_value,
        max(headline_value) over series as most_series_value,
    from {{ ref('rpt_measurements') }}
    where
        is_valid
        and not is_derived
        and headline_value is not null
        and document_id is null
        and is_superseded is not true
    window
        series as (partition by series_id),
        earlier as (
            partition by series_id
            order by measured_at, measurement_id
            rows between unbounded preceding and 1 preceding
        )
    qualify
        row_number() over (
            partition by series_id
            order by measured_at desc nulls last, measurement_id desc
        ) = 1
),

published as (
    select
        profile_id,
        coalesce(drive_count = 1, false) as is_single,
        drive_media,
        max_by(
            struct_pack(
                headline_value := headline_value,
                value_label := {{ mark('value_qualifier') }}
                || {{ quantity_label('headline_value', 'headline_metric') }},
                array_label := array_label,
                measurement_id := measurement_id
            ),
            (headline_value, measurement_id)
        ) as best,
    from {{ ref('int_array_values') }}
    where document_id is not null and value_qualifier != 'at_most'
    group by profile_id, is_single, drive_media
)

select
    runs.array_id,
    runs.array_label,
    runs.profile_id,
    runs.profile_label,
    runs.profile_short_label,
    runs.outstanding_io_count,
    runs.worker_count,
    runs.measured_at,
    runs.headline_metric,
    runs.headline_value,
    {{ quantity_label('runs.headline_value', 'runs.headline_metric') }}
    || coalesce(
        ' at ' || {{ counted('runs.outstanding_io_count', 'outstanding I/O') }}, ''
    ) as value_label,
    runs.earlier_run_count,
    runs.headline_value / runs.history_value - 1 as history_change_ratio,
    format('{:+.0f} %', 100 * history_change_ratio) || case
        when runs.earlier_run_count = 1 then ', too few runs to judge'
        -- half a percent is no change in whole percents
        when runs.headline_value between 0.995 * runs.least_value and 1.005 * runs.most_value
            then ', within the range of ' || runs.earlier_run_count || ' runs before'
        else ', outside the range of ' || runs.earlier_run_count || ' runs before'
    end as history_change_label,
    case runs.earlier_run_count
        when 0 then 'first run'
        when 1
            then
                {{ quantity_label('runs.history_value', 'runs.headline_metric') }}
                || ', one run before'
        else
            {{ quantity_label('runs.history_value', 'runs.headline_metric') }} || ' ('
            || {{ quantity_label('runs.least_value', 'runs.headline_metric') }} || ' to '
            || {{ quantity_label('runs.most_value', 'runs.headline_metric') }} || ', '
            || runs.earlier_run_count || ' runs before)'
    end as history_label,
    published.best.value_label || ': ' || published.best.array_label as published_label,
    -- over all runs, to match the Compare board
    runs.series_value / published.best.headline_value as published_ratio,
    runs.least_series_value / published.best.headline_value as min_published_ratio,
    runs.most_series_value / published.best.headline_value as max_published_ratio,
    published.best.measurement_id as best_measurement_id,
    runs.attained_label,
    verdicts.verdict as run_verdict,
    runs.measurement_id,
from runs
left join published
    on
        runs.profile_id = published.profile_id
        and runs.drive_media = published.drive_media
        and coalesce(runs.drive_count = 1, false) = published.is_single
left join {{ ref('rpt_run_verdicts') }} as verdicts
    on runs.measurement_id = verdicts.measurement_id
