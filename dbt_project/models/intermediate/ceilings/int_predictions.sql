-- What is predicted of an array that was not measured, or whose measurement is left out: the least
-- of the practical limits that can be derived; and on what that rests. Where the controller's own
-- limit is not known, and it was not shown to do as much, the prediction is an upper bound only.
with limits as (
    select * from {{ ref('int_ceilings_by_basis') }}
    where purpose != 'measured'
),

predictions as (
    select
        array_id,
        profile_id,
        any_value(purpose) as purpose,
        min(bytes_per_second) filter (basis = 'practical') as bytes_per_second,
        min(iops) filter (basis = 'practical') as iops,
        min(bytes_per_second) filter (basis = 'theoretical') as high_bytes_per_second,
        min(iops) filter (basis = 'theoretical') as high_iops,
        any_value(ceiling_kind) filter (
            basis = 'practical' and bytes_rank = 1 and missing_reason is null
        ) as binding_ceiling,
        any_value(formula) filter (basis = 'practical' and bytes_rank = 1) as formula,
        any_value(known_from) filter (basis = 'practical') as known_from,
        string_agg(ceiling_kind, ', ' order by ceiling_kind)
        filter (basis = 'practical' and missing_reason is not null) as missing_limits,
    from limits
    group by array_id, profile_id
)

select
    predictions.* exclude (known_from),
    arrays.controller_id,
    arrays.raid_level,
    arrays.drive_id,
    arrays.drive_media,
    arrays.drive_count,
    arrays.left_out,
    case
        when predictions.binding_ceiling = 'controller' then 'printed limit'
        when predictions.known_from in ('controller', 'twin') then 'links and drives'
        when arrays.is_own_controller or arrays.drive_count = 1 then 'links and drives'
        when predictions.bytes_per_second <= shown.bytes_per_second then 'links and drives'
        else 'controller limit unknown'
    end as evidence,
    if(
        evidence = 'controller limit unknown'
        or predictions.binding_ceiling = 'controller' and predictions.known_from = 'cheaper level',
        'at_most', 'approximate'
    ) as value_qualifier,
from predictions
inner join {{ ref('int_array_profiles') }} as arrays using (array_id, profile_id)
left join {{ ref('int_controller_demonstrations') }} as shown
    on
        arrays.purpose = 'what-if'
        and arrays.controller_id = shown.controller_id
        and arrays.raid_level = shown.raid_level
        and arrays.profile_id = shown.profile_id
