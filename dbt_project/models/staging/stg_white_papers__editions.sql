select
    -- ids
    document_id,
    edition,

    -- categories
    title,
    version,
    edition_order,

    -- measures
    page_count,

    -- dates
    published_on as published_date,
from {{ source('raw', 'white_paper_editions') }}
where file_id in (select files.file_id from {{ ref('stg_files') }} as files)
