-- A single drive is labelled by its name, a generation's maximum by the generation. A label names
-- unreported parts, the source of an unknown system, and the medium of unnamed drives.
with measured as (
    select
        *,
        document_id is not null and system_source is not null and controller_generation is not null
            as is_generation,
        if(drive_id is null, drive_media, null) as unnamed_media,
    from {{ ref('fct_measurements') }}
)

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
            when is_generation then measured.controller_generation || ' controllers'
            when system_source is not null and unnamed_media is null
                then 'controller and drives not reported'
            when controllers.controller is not null then controllers.controller
            when drive_count is distinct from 1 then 'controller not reported'
        end,
        raid_level,
        if(
            is_generation or system_source is null or unnamed_media is not null,
            {{ drives_label('drive_count', 'drives.drive', 'unnamed_media') }},
            {{ counted('drive_count', 'drive') }}
        ),
        if(is_generation, null, system_source)
    ) as array_label,
from measured
left join {{ ref('dim_controllers') }} as controllers using (controller_id)
left join {{ ref('dim_drives') }} as drives using (drive_id)
