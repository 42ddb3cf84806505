select
    -- ids
    file_id,

    -- categories
    server,
    vendor,
    controller,
    controller_generation,
    raid_level,
    drive,
    drive_media,
    drive_interface,
    note,

    -- measures
    drive_count,
    {{ fio_size_bytes("replace(stripe, ' ', '')") }} as stripe_bytes,
from {{ source('raw', 'sidecars') }}
