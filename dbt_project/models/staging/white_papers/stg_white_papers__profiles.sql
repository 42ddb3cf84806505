select
    -- ids
    document_id,
    edition_order,
    profile,

    -- place
    line,
    page,
    last_page,

    -- categories
    application,

    -- measures
    random_percent / 100 as random_ratio,
    read_percent / 100 as read_ratio,
    share_percent / 100 as share_ratio,
    {{ to_bytes('block_number', 'block_unit', 'other_sizes_base') }} as block_bytes,
    {{ to_bytes('alignment_number', 'alignment_unit', 'other_sizes_base') }} as alignment_bytes,
    stream_count,
from {{ source('raw', 'white_paper_profiles') }}
inner join {{ ref('stg_white_papers__editions') }} using (file_id, document_id, edition)
