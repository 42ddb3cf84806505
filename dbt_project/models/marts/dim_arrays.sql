select distinct
    array_id,
    controller_id,
    raid_level,
    drive_id,
    drive_count,
    stripe_bytes,
from {{ ref('int_measurements') }}
