-- How far predictions of arrays were above what documents print, at worst, by what they rest on.
-- Own runs need not be at their most. Nothing is said of evidence that no document tests.
select
    predictions.evidence,
    predictions.value_qualifier,
    greatest(
        max(
            coalesce(
                predictions.bytes_per_second / tests.bytes_per_second,
                predictions.iops / tests.iops
            )
        ), 1
    ) as worst_ratio,
from {{ ref('int_predictions') }} as predictions
inner join {{ ref('int_back_tests') }} as tests on predictions.left_out = tests.measurement_id
where
    predictions.binding_ceiling is not null
    and predictions.drive_count is distinct from 1
    and tests.document_id is not null
group by predictions.evidence, predictions.value_qualifier
