select
    -- ids
    file_id,
    document_id,
    edition,

    -- categories
    edition_order,

    -- what the paper's prefixes mean
    throughput_base,
    drive_capacity_base,
    other_sizes_base,

    -- measures
    page_count,
from {{ source('raw', 'white_paper_editions') }}
inner join {{ source('raw', 'white_paper_documents') }} using (file_id, document_id)
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
