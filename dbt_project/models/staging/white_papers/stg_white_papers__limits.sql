with printed as (
    select
        limits.*,
        editions.edition_order,
        coalesce(limits.unit_base, editions.throughput_base) as base,
    from {{ source('raw', 'white_paper_limits') }} as limits
    inner join {{ ref('stg_white_papers__editions') }} as editions
        using (file_id, document_id, edition)
)

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

    -- measures
    link_count,
    {{ base_unit('quantity') }} as base_unit,
    base as prefix_base,
    {{ to_base_unit('number', 'unit', 'base') }} as value,
from printed
