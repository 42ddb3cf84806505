-- A base is 2 where the paper's prefixes mean powers of 1024, 10 where they mean powers of 1000.
-- A table: raw.sources changes with each new result, and dbt then skips the models that depend only
-- on papers.
{{ config(materialized='table') }}
select
    file_id,
    document_id,
    editions.edition,
    editions.edition_order,
    editions.page_count,
    documents.* exclude (file_id, document_id, stripe, published_on),
    documents.published_on as published_date,
    documents.stripe = 'controller_default' as is_stripe_controller_default,
from {{ source('raw', 'white_paper_editions') }} as editions
inner join {{ source('raw', 'white_paper_documents') }} as documents using (file_id, document_id)
where {{ is_current_file() }}
