select
    -- ids
    file_id,
    document_id,
    edition,
    edition_order,

    -- place
    sheet_path,
    line,
    page,
    last_page,
    locator,

    -- categories
    controller,
    side,
    interface,
    connection,
    condition,
    basis,
    qualifier,
    as_printed,
    is_binding,
    note,
    reading_note,

    -- measures; 2 where the paper's kilo means 1024, 10 where it means 1000
    coalesce(unit_base, throughput_base) as prefix_base,
    link_count,
    {{ base_unit('quantity') }} as base_unit,
    {{ to_base_unit('number', 'unit', 'prefix_base') }} as value,
from {{ source('raw', 'white_paper_limits') }}
inner join {{ ref('stg_white_papers__editions') }} using (file_id, document_id, edition)
