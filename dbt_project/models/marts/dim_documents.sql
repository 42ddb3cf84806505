select
    document_id,
    title as document_title,
    publisher,
    version,
    published_date,
    published_as_printed,
    commissioned_by,
    string_agg(edition, ', ' order by edition_order) as editions,
    max(page_count) as page_count,
    tool_name,
    tool_version,
    url,
    rights,
    text_source,
    cast(case throughput_base when 2 then 1048576 when 10 then 1000000 end as bigint)
        as printed_megabyte_bytes,
    note,
from {{ ref('stg_white_papers__editions') }}
group by all
