select
    -- ids
    file_id,
    access_spec_index,
    mix_index,

    -- categories
    access_spec_name,

    -- measures
    nullif(size_bytes, 0) as block_bytes,
    size_percent / 100 as share_ratio,
    read_percent / 100 as read_ratio,
    random_percent / 100 as random_ratio,
    nullif(align_bytes, 0) as alignment_bytes,  -- 0 is a sector, of unstated size
    nullif(reply_bytes, 0) as reply_bytes,
    delay_ms,
    burst_count,
from {{ source('raw', 'iometer_access_specs') }}
where {{ is_current_file() }}
