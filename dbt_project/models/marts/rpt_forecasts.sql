-- Predictions made before a document's values were digitised, beside the best value that it prints
-- of each array. These are the values that back-tests use. An array without a forecast has the
-- current prediction: from fct_predictions or, if it is not in it, from the array's own limits. The
-- latter have no low values: how far processors stay below the drives of software RAID varies more
-- than back-tests show.
with printed as (
    select distinct on (
        document_id, controller_id, raid_level, drive_id, drive_count, profile_id
    ) *
    from ({{ back_tests() }}) as tested
    where document_id is not null
    order by coalesce(bytes_per_second, iops) desc, measurement_id asc
),

own as (
    select *
    from {{ ref('int_predictions') }}
    where purpose = 'forecast' and binding_ceiling is not null
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
    known.low_iops as current_low_iops,
    known.low_bytes_per_second as current_low_bytes_per_second,
    {% for column in [
        'iops', 'bytes_per_second', 'high_iops', 'high_bytes_per_second', 'value_qualifier',
        'evidence', 'binding_ceiling'
    ] -%}
        if(known.evidence is null, own.{{ column }}, known.{{ column }}) as current_{{ column }},
    {% endfor -%}
    if(current_evidence is null, ceilings.missing_reasons, null) as current_missing_reason,
from {{ ref('int_forecasts') }} as forecasts
left join printed
    on
        forecasts.document_id = printed.document_id
        and forecasts.controller_id is not distinct from printed.controller_id
        and forecasts.raid_level = printed.raid_level
        and forecasts.drive_id = printed.drive_id
        and forecasts.drive_count = printed.drive_count
        and forecasts.profile_id = printed.profile_id
left join {{ ref('fct_predictions') }} as known
    on
        forecasts.forecast_date is null
        and forecasts.controller_id = known.controller_id
        and forecasts.raid_level = known.raid_level
        and forecasts.drive_id = known.drive_id
        and forecasts.drive_count = known.drive_count
        and forecasts.profile_id = known.profile_id
left join own on forecasts.array_id = own.array_id
left join {{ ref('int_ceilings') }} as ceilings
    on forecasts.array_id = ceilings.array_id and ceilings.basis = 'practical'
