with catalog as (
    select
        *,
        true as is_catalogued,
    from {{ ref('int_drives') }}
),

-- What measurements name, in whatever spelling, and neither a paper nor a sidecar describes:
-- nothing is known of it here.
uncatalogued as (
    select
        measured.drive_id,
        min(measured.drive) as drive,
        false as is_catalogued,
    from {{ ref('int_measurements') }} as measured
    left join catalog using (drive_id)
    where measured.drive_id is not null and catalog.drive_id is null
    group by measured.drive_id
),

drives as (
    select * from catalog
    union all by name
    select * from uncatalogued
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
