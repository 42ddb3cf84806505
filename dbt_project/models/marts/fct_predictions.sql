-- The low value is the higher of what the same controller was shown to do with as many or fewer of
-- the drives, and the prediction divided by the worst error of its kind. More drives never lower
-- it; a measurement above the prediction is a finding, not a bound.
{%- set key = ['controller_id', 'raid_level', 'drive_id', 'drive_count', 'profile_id'] %}
{%- set limits -%}
    (select *, false as is_unknown from {{ ref('fct_predicted_limits') }})
{%- endset -%}
{%- set ceilings = lowest_limits(limits, key) %}
with designs as (
    {{ predictions(ref('int_what_if_configurations'), '(' ~ ceilings ~ ')', key) }}
),

predictions as (
    select
        *,
        coalesce(bytes_per_second, iops) / max(coalesce(bytes_per_second, iops)) over (
            partition by controller_id, raid_level, drive_id, profile_id
        ) as share_of_highest,
    from designs
),

reached as (
    select distinct on (
        predictions.controller_id, predictions.raid_level, predictions.drive_id,
        predictions.profile_id, predictions.drive_count
    )
        predictions.controller_id,
        predictions.raid_level,
        predictions.drive_id,
        predictions.profile_id,
        predictions.drive_count,
        reached.iops,
        reached.bytes_per_second,
        reached.high_factor,
        reached.measurement_id,
    from predictions
    inner join {{ ref('int_reached_values') }} as reached
        on
            predictions.controller_id = reached.controller_id
            and predictions.raid_level = reached.raid_level
            and predictions.drive_id = reached.drive_id
            and predictions.profile_id = reached.profile_id
            and predictions.drive_count >= reached.drive_count
    order by
        reached.bytes_per_second desc nulls last,
        reached.iops desc nulls last,
        reached.drive_count asc,
        reached.measurement_id asc
)

select
    predictions.* exclude (
        purpose, left_out, drive_media, is_sequential, binding_measurement_id, share_of_highest
    ) replace (
        -- the high value, if there is one, is never below a measurement
        {% for value in ['iops', 'bytes_per_second'] -%}
            if(
                predictions.high_{{ value }} is null, null,
                greatest(predictions.high_{{ value }}, reached.{{ value }} * reached.high_factor)
            ) as high_{{ value }}{% if not loop.last %},{% endif %}
        {% endfor -%}
    ),
    controllers.controller,
    drives.drive,
    coalesce(
        predictions.drive_count > controllers.disk_port_count
        and controllers.disk_interfaces like '%SAS%', false
    ) as needs_expander,
    {% for value in ['iops', 'bytes_per_second'] -%}
        max(
            least(
                greatest(reached.{{ value }}, predictions.{{ value }} / errors.worst_ratio),
                predictions.{{ value }}
            )
        ) filter (where coalesce(reached.{{ value }}, errors.worst_ratio) is not null) over fewer
            as low_{{ value }},
        lag(predictions.{{ value }}) over fewer as fewer_drives_{{ value }},
    {% endfor -%}
    lag(predictions.drive_count) over fewer as fewer_drives_count,
    coalesce(errors.tested_number_count, 0) as tested_number_count,
    reached.measurement_id as shown_measurement_id,
    least(
        min(predictions.drive_count) filter (
            where predictions.binding_ceiling != 'drives'
            -- links to the drives bind, too, and more drives have more of them
            and predictions.share_of_highest >= 0.9
            and predictions.evidence != 'data sheet'
        ) over design,
        if(arrays.is_own_level, arrays.saturating_drive_count, null)
    ) as saturating_drive_count,
from predictions
inner join {{ ref('int_what_if_configurations') }} as arrays
    using (controller_id, raid_level, drive_id, drive_count, profile_id)
inner join {{ ref('int_controllers') }} as controllers using (controller_id)
inner join {{ ref('int_drives') }} as drives using (drive_id)
left join {{ ref('dim_raid_levels') }} as levels using (raid_level)
left join {{ ref('fct_prediction_errors') }} as errors
    on
        predictions.evidence = errors.evidence
        and predictions.value_qualifier = errors.value_qualifier
        and predictions.missing_limits is not distinct from errors.missing_limits
        and predictions.drive_media = errors.drive_media
        and predictions.is_sequential = errors.is_sequential
        and errors.has_parity = (levels.parity_drive_count > 0)
left join reached using (controller_id, raid_level, drive_id, profile_id, drive_count)
window
    design as (
        partition by
            predictions.controller_id, predictions.raid_level, predictions.drive_id,
            predictions.profile_id
    ),
    fewer as (
        partition by
            predictions.controller_id, predictions.raid_level, predictions.drive_id,
            predictions.profile_id
        order by predictions.drive_count
    )
