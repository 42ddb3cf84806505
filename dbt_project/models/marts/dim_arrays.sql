-- A single drive is called by its name; what is not stated is said so, and by whom.
select distinct
    array_id,
    controller_id,
    raid_level,
    drive_id,
    drive_count,
    stripe_bytes,
    concat_ws(
        ', ',
        case
            when system_source is not null then 'controller and drives not stated'
            when controllers.controller is not null then controllers.controller
            when drive_count is distinct from 1 then 'controller not stated'
        end,
        raid_level,
        if(
            system_source is null,
            coalesce(drive_count || ' x ', '') || coalesce(drives.drive, 'drives not stated'),
            {{ counted('drive_count', 'drive') }}
        ),
        system_source
    ) as array_label,
from {{ ref('int_measurements') }}
left join {{ ref('dim_controllers') }} as controllers using (controller_id)
left join {{ ref('dim_drives') }} as drives using (drive_id)
