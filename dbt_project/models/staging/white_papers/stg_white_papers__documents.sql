select
    -- ids
    document_id,
    file_id,

    -- categories
    title,
    publisher,
    version,
    published_as_printed,
    commissioned_by,
    tool_name,
    tool_version,
    url,
    stripe = 'controller_default' as is_stripe_controller_default,
    note,

    -- what the paper's prefixes mean: 2 for powers of 1024, 10 for powers of 1000
    throughput_base,
    drive_capacity_base,
    other_sizes_base,

    -- dates
    published_on as published_date,
from {{ source('raw', 'white_paper_documents') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
