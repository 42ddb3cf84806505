-- `subjects` may name several, separated by '; '.
select
    printed.* exclude (subject, quantity, number, low_number, high_number, unit),
    editions.edition_order,
    printed.subject as subjects,
    case
        when quantity = 'data_rate' then throughput_base
        when subject_type = 'drive' and quantity = 'size' then drive_capacity_base
        else other_sizes_base
    end as prefix_base,
    {{ base_unit('quantity') }} as base_unit,
    {{ printed_in_base_unit('value', 'prefix_base') }},
from {{ source('raw', 'white_paper_facts') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
