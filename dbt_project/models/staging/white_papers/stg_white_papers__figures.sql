select
    printed.*,
    editions.edition_order,
    if(axis_unit = 'IO/s', axis_maximum, null) as axis_maximum_iops,
    if(
        axis_unit like '%B/s', {{ to_base_unit('axis_maximum', 'axis_unit', 'throughput_base') }},
        null
    ) as axis_maximum_bytes_per_second,
from {{ source('raw', 'white_paper_figures') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
