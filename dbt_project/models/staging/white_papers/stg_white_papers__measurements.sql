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

    -- measures; 2 where the paper's kilo means 1024, 10 where it means 1000
    coalesce(unit_base, throughput_base) as prefix_base,
    drive_count,
    {{ to_bytes('stripe_number', 'stripe_unit', 'other_sizes_base') }} as stripe_bytes,
    outstanding_io_count,
    queue_depth_per_drive,
    worker_count,
    {{ to_base_unit('number', 'unit', 'prefix_base') }} as value,
    {{ to_base_unit('low_number', 'unit', 'prefix_base') }} as min_value,
    {{ to_base_unit('high_number', 'unit', 'prefix_base') }} as max_value,
from {{ source('raw', 'white_paper_measurements') }}
inner join {{ ref('stg_white_papers__editions') }} using (file_id, document_id, edition)
