-- A failing row is a RAID level whose write does not cost what it writes and reads first.
select *
from {{ ref('dim_raid_levels') }}
where random_write_operation_count != written_bytes_ratio + extra_read_bytes_ratio
