select
    -- ids
    files.file_id,

    -- categories
    sidecars.server,
    sidecars.vendor,
    sidecars.controller,
    sidecars.controller_generation,
    sidecars.raid_level,
    sidecars.drive,
    sidecars.drive_media,
    sidecars.drive_interface,
    sidecars.note,

    -- measures
    sidecars.drive_count,
    sidecars.outstanding_io_count,
    sidecars.worker_count,
    {{ to_bytes('sidecars.stripe_number', 'sidecars.stripe_unit', 2) }} as stripe_bytes,
from {{ source('raw', 'sidecars') }} as sidecars
inner join {{ ref('stg_files') }} as files using (source_key)
