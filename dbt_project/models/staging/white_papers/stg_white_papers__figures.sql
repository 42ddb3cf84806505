select
    -- ids
    document_id,
    edition,
    edition_order,
    figure_id,

    -- place
    sheet_path,
    line,
    page,
    last_page,

    -- categories
    title,
    shows,
    controller,
    profile,
    raid_level,
    drive,
    drive_count,
    x_axis,
    y_axis,
    axis_unit,
    is_digitised,
    note,

    -- measures, in axis_unit as drawn
    axis_minimum,
    axis_maximum,
from {{ source('raw', 'white_paper_figures') }}
inner join {{ ref('stg_white_papers__editions') }} using (file_id, document_id, edition)
