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

    -- measures; 2 where the paper's kilo means 1024, 10 where it means 1000
    case
        when subject_type = 'drive' and quantity = 'size' then drive_capacity_base
        else other_sizes_base
    end as prefix_base,
    {{ base_unit('quantity') }} as base_unit,
    {{ to_base_unit('number', 'unit', 'prefix_base') }} as value,
    {{ to_base_unit('low_number', 'unit', 'prefix_base') }} as min_value,
    {{ to_base_unit('high_number', 'unit', 'prefix_base') }} as max_value,
from {{ source('raw', 'white_paper_facts') }}
inner join {{ ref('stg_white_papers__editions') }} using (file_id, document_id, edition)
