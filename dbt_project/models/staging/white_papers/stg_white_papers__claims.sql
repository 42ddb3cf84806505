-- Ratios are 0.67 for '67%' and 4.6 for '4.6 times'; counts stay as printed.
select
    printed.* exclude (
        file_id, quantity, number, low_number, high_number, unit, read_percent
    ),
    printed.read_percent / 100 as read_ratio,
    editions.edition_order,
    {{ printed_in_base_unit('factor', 'null') }},
from {{ source('raw', 'white_paper_claims') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
