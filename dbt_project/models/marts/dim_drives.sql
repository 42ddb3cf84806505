-- Of what measurements name, in whatever spelling, and neither a paper nor a sidecar describes,
-- nothing is known.
with drives as (
    select
        *,
        true as is_catalogued,
    from {{ ref('int_drives') }}
    union all by name
    select
        drive_id,
        min(drive) as drive,
        false as is_catalogued,
    from {{ ref('int_measurements') }}
    anti join {{ ref('int_drives') }} using (drive_id)
    where drive_id is not null
    group by drive_id
)

select
    drive_id,
    drive,
    vendor,
    model,
    drive_media,
    drive_interface,
    capacity_bytes,
    rotation_rpm,
    drive_form_factor,
    is_catalogued,
    document_id,
    page,
    defined_in,
    definition_note,
from drives
