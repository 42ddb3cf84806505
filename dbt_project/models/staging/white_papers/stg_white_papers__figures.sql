select
    printed.*,
    editions.edition_order,
from {{ source('raw', 'white_paper_figures') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
