with editions as (
    select
        printed.*,
        documents.throughput_base,
        documents.drive_capacity_base,
        documents.other_sizes_base,
    from {{ source('raw', 'white_paper_editions') }} as printed
    inner join {{ ref('stg_white_papers__documents') }} as documents using (file_id, document_id)
)

select
    -- ids
    file_id,
    document_id,
    edition,

    -- categories
    title,
    version,
    edition_order,

    -- what the paper's prefixes mean
    throughput_base,
    drive_capacity_base,
    other_sizes_base,

    -- measures
    page_count,

    -- dates
    published_on as published_date,
from editions
