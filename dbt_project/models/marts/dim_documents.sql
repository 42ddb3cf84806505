with documents as (
    select * from {{ ref('stg_white_papers__documents') }}
),

editions as (
    select
        document_id,
        string_agg(edition, ', ' order by edition_order) as editions,
        max(page_count) as page_count,
    from {{ ref('stg_white_papers__editions') }}
    group by document_id
)

select
    documents.document_id,
    documents.title as document_title,
    documents.publisher,
    documents.version,
    documents.published_date,
    documents.published_as_printed,
    documents.commissioned_by,
    editions.editions,
    editions.page_count,
    documents.tool_name,
    documents.tool_version,
    documents.url,
    documents.note,
from documents
left join editions using (document_id)
