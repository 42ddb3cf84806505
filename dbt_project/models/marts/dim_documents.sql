select
    documents.document_id,
    documents.title as document_title,
    documents.publisher,
    documents.version,
    documents.published_date,
    documents.published_as_printed,
    documents.commissioned_by,
    string_agg(printed.edition, ', ' order by printed.edition_order) as editions,
    max(printed.page_count) as page_count,
    documents.tool_name,
    documents.tool_version,
    documents.url,
    documents.note,
from {{ ref('stg_white_papers__documents') }} as documents
left join {{ ref('stg_white_papers__editions') }} as printed using (document_id)
group by all
