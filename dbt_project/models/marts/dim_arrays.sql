-- A single drive is called by its name; what is not stated is said so, and by whom.
with arrays as (
    select distinct
        array_id,
        controller_id,
        raid_level,
        drive_id,
        drive_count,
        stripe_bytes,
        system_source,
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
        case
            when arrays.system_source is not null then 'controller and drives not stated'
            when controllers.controller is not null then controllers.controller
            when arrays.drive_count is distinct from 1 then 'controller not stated'
        end,
        arrays.raid_level,
        case
            when arrays.system_source is null
                then
                    coalesce(arrays.drive_count || ' x ', '')
                    || coalesce(drives.drive, 'drives not stated')
            else {{ counted('arrays.drive_count', 'drive') }}
        end,
        arrays.system_source
    ) as array_label,
from arrays
left join {{ ref('dim_controllers') }} as controllers using (controller_id)
left join {{ ref('dim_drives') }} as drives using (drive_id)
