select
    printed.* exclude (
        random_percent, read_percent, share_percent, block_number, block_unit, alignment_number,
        alignment_unit
    ),
    editions.edition_order,
    editions.publisher,
    random_percent / 100 as random_ratio,
    read_percent / 100 as read_ratio,
    share_percent / 100 as share_ratio,
    {{ to_bytes('block_number', 'block_unit', 'other_sizes_base') }} as block_bytes,
    {{ to_bytes('alignment_number', 'alignment_unit', 'other_sizes_base') }} as alignment_bytes,
from {{ source('raw', 'white_paper_profiles') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
