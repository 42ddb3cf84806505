-- A block size of 0 stands for the average of several I/Os.
select
    file_id,
    direction,
    elapsed_ms / 1e3 as elapsed_seconds,
    cast(value as double) as logged_value,
    nullif(block_bytes, 0) as block_bytes,
from {{ source('raw', 'fio_log_samples') }}
