with printed as (
    select
        facts.*,
        editions.edition_order,
        case
            when facts.subject_type = 'drive' and facts.quantity = 'size'
                then editions.drive_capacity_base
            else editions.other_sizes_base
        end as base,
    from {{ source('raw', 'white_paper_facts') }} as facts
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

    -- categories; `subjects` may name several, separated by '; '
    subject_type,
    subject as subjects,
    attribute,
    condition,
    qualifier,
    as_printed,
    corrected,
    note,
    reading_note,

    -- measures
    {{ base_unit('quantity') }} as base_unit,
    {{ to_base_unit('number', 'unit', 'base') }} as value,
    {{ to_base_unit('low_number', 'unit', 'base') }} as min_value,
    {{ to_base_unit('high_number', 'unit', 'base') }} as max_value,
from printed
