-- Predictions made before a document's values were digitised, beside the best value that it prints
-- of each array. These are the values that back-tests use.
with printed as (
    select distinct on (
        document_id, controller_id, raid_level, drive_id, drive_count, profile_id
    ) *
    from ({{ back_tests() }}) as tested
    where document_id is not null
    order by coalesce(bytes_per_second, iops) desc, measurement_id asc
)

select
    forecasts.* exclude (
        file_id, sheet_path, line, edition, page, last_page, profile, array_id
    ),
    {{ page_span('forecasts.page', 'forecasts.last_page') }} as pages,
    'line ' || forecasts.line as source_position,
    forecasts.profile as profile_name,
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
from {{ ref('int_forecasts') }} as forecasts
left join printed
    on
        forecasts.document_id = printed.document_id
        and forecasts.controller_id is not distinct from printed.controller_id
        and forecasts.raid_level = printed.raid_level
        and forecasts.drive_id = printed.drive_id
        and forecasts.drive_count = printed.drive_count
        and forecasts.profile_id = printed.profile_id
