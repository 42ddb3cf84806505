select
    document_id,
    page,
    string_agg(edition || ': ' || locator, ' | ' order by edition_order) as locator,
    controller,
    side,
    interface,
    min_by(connection, edition_order) as connection,
    link_count,
    condition,
    min_by(as_printed, edition_order) filter (where basis = 'line_rate') as line_rate_as_printed,
    any_value(value) filter (where basis = 'line_rate') as line_rate_hertz,
    any_value(value) filter (where basis = 'theoretical') as theoretical_bytes_per_second,
    any_value(value) filter (where basis = 'practical') as practical_bytes_per_second,
    bool_or(is_binding) as is_binding,
    any_value(note) as note,
from {{ ref('stg_white_papers__limits') }}
group by document_id, page, controller, side, interface, link_count, condition
