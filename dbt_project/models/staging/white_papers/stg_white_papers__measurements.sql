with printed as (
    select
        values_printed.*,
        editions.edition_order,
        editions.other_sizes_base,
        coalesce(values_printed.unit_base, editions.throughput_base) as base,
    from {{ source('raw', 'white_paper_measurements') }} as values_printed
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

    -- categories; `controller` and `profile` may name several, separated by '; '
    server,
    controller,
    raid_level,
    raid_level_as_printed,
    drive,
    profile,
    condition,
    metric,
    qualifier,
    as_printed,
    derivation,
    limit_of,
    note,
    reading_note,

    -- measures
    drive_count,
    {{ to_bytes('stripe_number', 'stripe_unit', 'other_sizes_base') }} as stripe_bytes,
    outstanding_io_count,
    queue_depth_per_drive,
    worker_count,
    {{ to_base_unit('number', 'unit', 'base') }} as value,
    {{ to_base_unit('low_number', 'unit', 'base') }} as min_value,
    {{ to_base_unit('high_number', 'unit', 'base') }} as max_value,
from printed
