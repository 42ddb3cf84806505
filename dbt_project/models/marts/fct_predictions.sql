-- The low value is what is left if the prediction is as far above print as the worst of those that
-- rest on the same. Only arrays in documents show that: own runs need not be at their most.
with errors as (
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
    inner join {{ ref('int_measurements') }} as tests on predictions.left_out = tests.measurement_id
    where
        predictions.binding_ceiling is not null
        and predictions.drive_count is distinct from 1
        and tests.document_id is not null
    group by predictions.evidence, predictions.value_qualifier
)

select
    predictions.* exclude (array_id, purpose, left_out, drive_media),
    controllers.controller,
    drives.drive,
    coalesce(
        predictions.drive_count > controllers.disk_port_count
        and controllers.disk_interfaces like '%SAS%', false
    ) as needs_expander,
    predictions.iops / errors.worst_ratio as low_iops,
    predictions.bytes_per_second / errors.worst_ratio as low_bytes_per_second,
    min(predictions.drive_count) filter (
        where predictions.binding_ceiling != 'drives' and predictions.evidence != 'data sheet'
    ) over (
        partition by
            predictions.controller_id, predictions.raid_level, predictions.drive_id,
            predictions.profile_id
    ) as saturating_drive_count,
from {{ ref('int_predictions') }} as predictions
inner join {{ ref('dim_controllers') }} as controllers using (controller_id)
inner join {{ ref('dim_drives') }} as drives using (drive_id)
left join errors using (evidence, value_qualifier)
where predictions.purpose = 'what-if'
