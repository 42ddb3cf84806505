select
    printed.* exclude (quantity, number, low_number, high_number, unit, unit_base),
    editions.edition_order,
    coalesce(unit_base, throughput_base) as prefix_base,
    {{ base_unit('quantity') }} as base_unit,
    {{ printed_in_base_unit('value', 'prefix_base') }},
from {{ source('raw', 'white_paper_limits') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
