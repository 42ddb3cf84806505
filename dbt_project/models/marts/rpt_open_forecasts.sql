-- Current predictions for arrays that await a blind forecast: from fct_predictions or, for an array
-- that is not in it, from the array's own limits. The latter have no low values: how far processors
-- stay below the drives of software RAID varies more than back-tests show.
with own as (
    select
        array_id,
        iops,
        bytes_per_second,
        high_iops,
        high_bytes_per_second,
        value_qualifier,
        evidence,
        binding_ceiling,
    from {{ ref('int_predictions') }}
    where purpose = 'forecast' and binding_ceiling is not null
)

select
    forecasts.document_id,
    'line ' || forecasts.line as source_position,
    known.low_iops,
    known.low_bytes_per_second,
    {% for column in [
        'iops', 'bytes_per_second', 'high_iops', 'high_bytes_per_second', 'value_qualifier',
        'evidence', 'binding_ceiling'
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
