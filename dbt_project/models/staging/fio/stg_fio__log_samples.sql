select
    -- ids
    file_id,

    -- categories
    direction,

    -- measures; a block size of 0 stands for the average of several I/Os
    elapsed_ms / 1e3 as elapsed_seconds,
    value as logged_value,
    nullif(block_bytes, 0) as block_bytes,
from {{ source('raw', 'fio_log_samples') }}
