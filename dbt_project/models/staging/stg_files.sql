select
    -- ids
    file_id,

    -- categories
    path,
    parser,

    -- measures
    size_bytes,

    -- timestamps
    ingested_at,
from {{ source('raw', 'files') }}
where is_current
