with figures as (
    select
        printed.*,
        editions.edition_order,
    from {{ source('raw', 'white_paper_figures') }} as printed
    inner join {{ ref('stg_white_papers__editions') }} as editions
        using (file_id, document_id, edition)
)

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
from figures
