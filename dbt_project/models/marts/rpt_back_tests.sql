-- Every printed or measured value beside the prediction that is made without it.
select
    tests.measurement_id,
    tests.document_id,
    coalesce(documents.publisher, 'own runs') as publisher,
    tests.page,
    predictions.controller_id,
    predictions.raid_level,
    predictions.drive_id,
    predictions.drive_media,
    predictions.drive_count,
    tests.profile_id,
    tests.value_qualifier,
    tests.iops,
    tests.bytes_per_second,
    predictions.iops as predicted_iops,
    predictions.bytes_per_second as predicted_bytes_per_second,
    coalesce(
        predictions.bytes_per_second / tests.bytes_per_second, predictions.iops / tests.iops
    ) as predicted_ratio,
    predictions.binding_ceiling,
    predictions.binding_measurement_id,
    predictions.evidence,
from {{ ref('fct_measurements') }} as tests
inner join {{ ref('int_predictions') }} as predictions
    on tests.measurement_id = predictions.left_out
left join {{ ref('dim_documents') }} as documents on tests.document_id = documents.document_id
where predictions.binding_ceiling is not null
