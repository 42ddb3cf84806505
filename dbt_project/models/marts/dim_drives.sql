with catalog as (
    select
        *,
        true as is_catalogued,
    from {{ ref('int_drives') }}
),

uncatalogued as (
    select
        measured.drive,
        any_value(measured.drive_media) as drive_media,
        any_value(measured.drive_interface) as drive_interface,
        false as is_catalogued,
    from {{ ref('int_measurements') }} as measured
    left join catalog using (drive)
    where measured.drive is not null and catalog.drive is null
    group by measured.drive
),

drives as (
    select * from catalog
    union all by name
    select * from uncatalogued
)

select
    {{ slug('drive') }} as drive_id,
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
from drives
