-- What was predicted of a document's arrays before its values were digitised, beside the best that
-- it prints of each: the values on which predictions are back-tested.
with forecasts as (
    select
        forecasts.*,
        {{ slug('forecasts.controller') }} as controller_id,
        {{ slug('forecasts.drive') }} as drive_id,
        profiles.profile_id,
    from {{ source('raw', 'white_paper_forecasts') }} as forecasts
    left join {{ ref('int_white_papers__profiles') }} as profiles
        on
            forecasts.document_id = profiles.document_id
            and forecasts.profile = profiles.profile_name
    where {{ is_current_file() }}
),

printed as (
    select distinct on (
        document_id, controller_id, raid_level, drive_id, drive_count, profile_id
    ) *
    from {{ ref('int_measurements') }}
    where is_back_test and document_id is not null
    order by coalesce(bytes_per_second, iops) desc, measurement_id asc
)

select
    document_id,
    {{ page_span('forecasts.page', 'forecasts.last_page') }} as pages,
    forecasts.locator,
    'line ' || forecasts.line as source_position,
    controller_id,
    forecasts.controller,
    raid_level,
    drive_id,
    forecasts.drive,
    drive_count,
    profile_id,
    forecasts.profile as profile_name,
    forecasts.forecast_date,
    forecasts.headroom_version,
    forecasts.evidence,
    forecasts.binding_ceiling,
    forecasts.missing_reason,
    forecasts.predicted_qualifier,
    forecasts.predicted_iops,
    forecasts.predicted_bytes_per_second,
    forecasts.low_iops,
    forecasts.low_bytes_per_second,
    forecasts.high_iops,
    forecasts.high_bytes_per_second,
    printed.measurement_id,
    printed.value_qualifier,
    printed.iops,
    printed.bytes_per_second,
    coalesce(
        forecasts.predicted_bytes_per_second / printed.bytes_per_second,
        forecasts.predicted_iops / printed.iops
    ) as predicted_ratio,
    coalesce(
        printed.bytes_per_second > forecasts.high_bytes_per_second,
        printed.iops > forecasts.high_iops
    ) as is_above_high,
    coalesce(
        printed.bytes_per_second < forecasts.low_bytes_per_second,
        printed.iops < forecasts.low_iops
    ) as is_below_low,
from forecasts
left join printed
    using (document_id, controller_id, raid_level, drive_id, drive_count, profile_id)
