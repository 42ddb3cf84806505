"""What does a document print, and where?"""

from dashboards import variables
from dashboards.board import Board
from dashboards.marts import mart, wide
from dashboards.tables import Table

_TYPED = "lower(trim(${search:sqlstring}))"
# without the unit after a number; _PLAIN also drops separators of thousands: point, comma, space
_NUMBER = rf"regexp_replace({_TYPED}, '^([\d., ]*\d) *[a-zµ/%]+$', '\1')"
_PLAIN = rf"regexp_replace({_NUMBER}, '[., ](\d{{3}})\b', '\1', 'g')"
_SEARCH = variables.typed(
    "search",
    "Number or words",
    "5900",
    "list_bool_or([contains(search_text, ' ' || typed) "
    f"for typed in [{_TYPED}, {_NUMBER}, {_PLAIN}] if typed != ''])",
)

PRINTED = Table(
    "Printed values",
    "Measured values, facts, limits and claims with a number or word that begins with what you "
    "typed; as printed, and in base units: Fujitsu's MB is "
    "2^20 bytes, MB here is 10^6. 5900, 5,900, 5.900 and 5900 MB/s find the same. What stands on "
    "one page more than once has one row.",
    mart("rpt_printed_values")
    .where(_SEARCH)
    .select(
        wide(120, "as_printed"),
        wide(180, "value_label", "read as"),
        wide(90, "printed_kind", "kind", wraps=False),
        wide(
            295,
            "printed_of",
            "value of",
            of="any_value(if(printed_kind = 'measured', "
            "regexp_replace(printed_of, ' [(][^()]*[)]$', ''), printed_of) order by printed_of) "
            "|| if(count(distinct printed_of) > 1, "
            "', and ' || count(distinct printed_of) - 1 || ' more', '')",
            grows=True,
        ),
        wide(165, "document_title", "document"),
        wide(60, "pages", "page", wraps=False),
        wide(60, "measurement_id", "run", of="min(measurement_id)", wraps=False),
        then="group by as_printed, value_label, printed_kind, document_title, page, pages "
        "order by document_title, page, printed_kind, 4 limit 200",
    ),
    empty="No document prints this: type the first digits of a number, such as 5900, or a word",
)

BOARD = Board(
    "headroom-find",
    "Find a printed value",
    "**Which document prints this number, and on which page?** Type it above, with or without "
    "its unit.",
    [(18, [(24, PRINTED)])],
    variables=[_SEARCH],
)
