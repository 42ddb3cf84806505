select
    raid_level,
    copies,
    parity_drive_count,
    random_bytes_written,
    random_extra_bytes_read,
    operations_per_random_write,
    min_drive_count,
    max_drive_count,
    drive_count_step,
from {{ ref('raid_levels') }}
