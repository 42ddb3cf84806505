select
    raid_level,
    copies as copy_count,
    parity_drive_count,
    random_bytes_written as written_bytes_ratio,
    random_extra_bytes_read as extra_read_bytes_ratio,
    operations_per_random_write as random_write_operation_count,
    min_drive_count,
    max_drive_count,
    drive_count_step as step_drive_count,
from {{ ref('raid_levels') }}
