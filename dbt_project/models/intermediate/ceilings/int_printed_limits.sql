-- What the formula gives for each interface limit that a document prints. Several interfaces in one
-- cell ('SAS 6G / SATA 6G') are alike. The cell of slower drives names the drives' interface.
select
    printed.document_id,
    printed.page,
    printed.controller,
    printed.side,
    printed.connection,
    printed.basis,
    printed.as_printed,
    printed.qualifier as value_qualifier,
    printed.value as printed_bytes_per_second,
    printed.link_count * if(
        printed.basis = 'practical',
        interfaces.lane_practical_bytes_per_second, interfaces.lane_theoretical_bytes_per_second
    ) as derived_bytes_per_second,
    -- the print has whole MB/s, of 2^20 or 10^6 bytes
    case printed.prefix_base when 2 then 1048576 else 1000000 end as print_step_bytes_per_second,
from {{ ref('stg_white_papers__limits') }} as printed
inner join {{ ref('dim_interfaces') }} as interfaces
    on split_part(printed.interface, ' / ', 1) = interfaces.interface
where printed.basis != 'line_rate' and printed.edition_order = 1
