with predictions as (
    select * from {{ ref('int_predictions') }}
    where purpose = 'what-if'
)

select
    predictions.controller_id,
    controllers.controller,
    predictions.raid_level,
    predictions.drive_id,
    drives.drive,
    cast(predictions.drive_count as bigint) as drive_count,
    coalesce(
        predictions.drive_count > controllers.disk_port_count
        and controllers.disk_interfaces like '%SAS%', false
    ) as needs_expander,
    predictions.profile_id,
    cast(predictions.iops as double) as iops,
    cast(predictions.bytes_per_second as double) as bytes_per_second,
    predictions.value_qualifier,
    predictions.evidence,
    cast(predictions.iops / errors.worst_ratio as double) as low_iops,
    cast(predictions.high_iops as double) as high_iops,
    cast(predictions.bytes_per_second / errors.worst_ratio as double) as low_bytes_per_second,
    cast(predictions.high_bytes_per_second as double) as high_bytes_per_second,
    predictions.binding_ceiling,
    min(predictions.drive_count) filter (where predictions.binding_ceiling != 'drives')
        over configuration as saturating_drive_count,
    predictions.formula,
    predictions.missing_limits,
from predictions
inner join {{ ref('dim_controllers') }} as controllers using (controller_id)
inner join {{ ref('dim_drives') }} as drives using (drive_id)
left join {{ ref('int_prediction_errors') }} as errors using (evidence, value_qualifier)
window configuration as (
    partition by
        predictions.controller_id, predictions.raid_level, predictions.drive_id,
        predictions.profile_id
)
