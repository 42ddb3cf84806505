with arrays as (
    select distinct
        array_id,
        controller_id,
        raid_level,
        drive_id,
        drive_count,
        stripe_bytes,
    from {{ ref('int_measurements') }}
)

select
    arrays.array_id,
    arrays.controller_id,
    arrays.raid_level,
    arrays.drive_id,
    arrays.drive_count,
    arrays.stripe_bytes,
    concat_ws(
        ', ',
        coalesce(controllers.controller, 'no controller'),
        arrays.raid_level,
        coalesce(arrays.drive_count || ' x ', '') || coalesce(drives.drive, 'drives not stated')
    ) as array_label,
from arrays
left join {{ ref('dim_controllers') }} as controllers using (controller_id)
left join {{ ref('dim_drives') }} as drives using (drive_id)
