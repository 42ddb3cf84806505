-- Current predictions for arrays that await a blind forecast: from fct_predictions or, for an array
-- that is not in it, from the array's own limits.
with own as (
    select
        predictions.array_id,
        predictions.iops,
        predictions.bytes_per_second,
        predictions.iops / errors.worst_ratio as low_iops,
        predictions.bytes_per_second / errors.worst_ratio as low_bytes_per_second,
        predictions.high_iops,
        predictions.high_bytes_per_second,
        predictions.value_qualifier,
        predictions.evidence,
        predictions.binding_ceiling,
    from {{ ref('int_predictions') }} as predictions
    left join {{ ref('dim_raid_levels') }} as levels using (raid_level)
    left join {{ ref('fct_prediction_errors') }} as errors
        on {{ is_of_error_class('predictions', 'levels', 'errors') }}
    where predictions.purpose = 'forecast' and predictions.binding_ceiling is not null
)

select
    forecasts.document_id,
    'line ' || forecasts.line as source_position,
    {% for column in [
        'iops', 'bytes_per_second', 'low_iops', 'low_bytes_per_second', 'high_iops',
        'high_bytes_per_second', 'value_qualifier', 'evidence', 'binding_ceiling'
    ] -%}
        if(known.evidence is null, own.{{ column }}, known.{{ column }}) as {{ column }},
    {% endfor -%}
    if(known.evidence is null and own.evidence is null, ceilings.missing_reasons, null)
        as missing_reason,
from {{ ref('int_forecasts') }} as forecasts
left join {{ ref('fct_predictions') }} as known
    using (controller_id, raid_level, drive_id, drive_count, profile_id)
left join own using (array_id)
left join {{ ref('int_ceilings') }} as ceilings
    on forecasts.array_id = ceilings.array_id and ceilings.basis = 'practical'
where forecasts.forecast_date is null
