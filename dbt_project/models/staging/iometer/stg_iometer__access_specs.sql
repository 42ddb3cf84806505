-- An alignment of 0 is a sector, of unstated size.
select
    file_id,
    access_spec_index,
    access_spec_name,
    nullif(size_bytes, 0) as block_bytes,
    size_percent / 100 as share_ratio,
    read_percent / 100 as read_ratio,
    random_percent / 100 as random_ratio,
    nullif(align_bytes, 0) as alignment_bytes,
    nullif(reply_bytes, 0) as reply_bytes,
    delay_ms,
    burst_count,
from {{ source('raw', 'iometer_access_specs') }}
where {{ is_current_file() }}
