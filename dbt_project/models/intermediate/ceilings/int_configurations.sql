-- Measured arrays with their load profiles; the same with one measurement left out (`left_out`), to
-- back-test predictions; and arrays of documents that await a blind forecast. If sidecars disagree
-- on a drive that the catalog does not know, the alphabetically first value counts.
with arrays as (
    select
        coalesce('back-test-' || left_out, array_id) as array_id,
        profile_id,
        any_value(controller_id) as controller_id,
        any_value(drive_id) as drive_id,
        any_value(raid_level) as raid_level,
        any_value(drive_count) as drive_count,
        min(drive_interface) as drive_interface,
        min(drive_media) as drive_media,
        left_out,
        if(left_out is null, 'measured', 'back-test') as purpose,
    from (
        select
            *,
            null as left_out,
        from {{ ref('fct_measurements') }}
        union all by name
        select
            *,
            measurement_id as left_out,
        from ({{ back_tests() }}) as tested
    ) as measured
    group by all
    union all by name
    select
        array_id,
        profile_id,
        controller_id,
        drive_id,
        raid_level,
        drive_count,
        'forecast' as purpose,
    from {{ ref('int_forecasts') }}
    where forecast_date is null
)

{{ configurations('arrays') }}
