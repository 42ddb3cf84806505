select
    -- ids
    document_id,
    edition,
    edition_order,
    claim_id,

    -- place
    sheet_path,
    line,
    page,
    last_page,
    locator,

    -- categories
    compares,
    subject,
    object,
    controller,
    raid_level,
    drive,
    drive_count,
    profile,
    condition,
    requires,
    load,
    from_step,
    to_step,
    statistic,
    limit_of,
    scope,
    evidence,
    metric,
    relation,
    qualifier,
    as_printed,
    note,
    reading_note,

    -- measures: ratios 0.67 for '67%' and 4.6 for '4.6 times'; counts as they are
    {{ to_base_unit('number', 'unit', 'null') }} as factor,
    {{ to_base_unit('low_number', 'unit', 'null') }} as min_factor,
    {{ to_base_unit('high_number', 'unit', 'null') }} as max_factor,
from {{ source('raw', 'white_paper_claims') }}
inner join {{ ref('stg_white_papers__editions') }} using (file_id, document_id, edition)
