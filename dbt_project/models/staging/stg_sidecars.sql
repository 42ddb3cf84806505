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
    outstanding_io_count,
    worker_count,
    {{ to_bytes('stripe_number', 'stripe_unit', 2) }} as stripe_bytes,
from {{ source('raw', 'sidecars') }}
