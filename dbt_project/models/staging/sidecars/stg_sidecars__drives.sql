select
    -- ids
    drive,
    sidecar_path as defined_in,

    -- categories
    vendor,
    model,
    drive_media,
    drive_interface,
    drive_form_factor,

    -- measures
    rotation_rpm,
    {{ to_bytes('capacity_number', 'capacity_unit', 10) }} as capacity_bytes,
from {{ source('raw', 'sidecar_drives') }}
