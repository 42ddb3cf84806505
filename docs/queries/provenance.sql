-- Where does the number 5900 come from?
-- asked by: a reviewer
select
    as_printed,
    value_label as is_read_as,
    printed_of as value_of,
    document_title as document,
    pages,
    locator,
from rpt_printed_values
where regexp_matches(as_printed, '\b5900\b')
order by printed_of, locator;
