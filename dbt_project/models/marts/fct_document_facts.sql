with facts as (
    select
        *,
        {{ each_of('subjects') }} as subject,
    from {{ ref('stg_white_papers__facts') }}
)

select
    document_id,
    edition,
    page,
    {{ page_span('page', 'last_page') }} as pages,
    locator,
    subject_type,
    subject,
    attribute,
    condition,
    as_printed,
    corrected,
    qualifier as value_qualifier,
    value,
    min_value,
    max_value,
    base_unit as value_unit,
    note,
    reading_note,
    sheet_path || ' line ' || line as source_position,
from facts
