select
    document_id,
    page,
    string_agg(edition || ': ' || locator, ' | ' order by edition_order, line) as locator,
    controller,
    side,
    interface,
    arg_min_null(connection, line) as connection,
    link_count,
    condition,
    basis,
    arg_min_null(as_printed, line) as as_printed,
    arg_min_null(qualifier, line) as value_qualifier,
    case when basis = 'line_rate' then value end as line_rate_hertz,
    case when basis != 'line_rate' then value end as bytes_per_second,
    bool_or(is_binding) as is_binding,
    arg_min_null(note, line) as note,
from {{ ref('stg_white_papers__limits') }}
group by document_id, page, controller, side, interface, link_count, condition, basis, value
