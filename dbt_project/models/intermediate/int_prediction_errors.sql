-- How far predictions of arrays were above what was printed or measured, at worst, by what they
-- rest on. Nothing is said of evidence that no back-test has.
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
where predictions.binding_ceiling is not null and predictions.drive_count is distinct from 1
group by predictions.evidence, predictions.value_qualifier
