"""Each part of a bar ends at its value."""

import duckdb
import pytest

from dashboards.bars import Bars
from dashboards.marts import mart

_COLUMNS = ("label", "series", "value", "low", "high", "mark")
_ORDER = ["ours", "range", "gap", "tick", "ours beyond", "range beyond"]


def _parts(*rows: tuple[object, ...]) -> list[dict[str, float]]:
    """The lengths of each row's parts, in drawing order."""
    values = ", ".join(str(row).replace("None", "null::double") for row in rows)
    query = mart("none").ask(f"from (values {values}) as given ({', '.join(_COLUMNS)})", *_COLUMNS)
    bars = Bars(
        "A title", "A description.", query, empty="none", series={"ours": "#000000"}, metric="iops",
        range_name="range", mark_name="tick",
    )  # fmt: skip
    result = duckdb.sql(bars._sql())
    names = [name.removesuffix(" iops") for name in result.columns if name.endswith(" iops")]
    assert names == _ORDER, "Grafana stacks columns as they come"
    found = (dict(zip(result.columns, row, strict=True)) for row in result.fetchall())
    return [
        {name: row[f"{name} iops"] for name in names if row[f"{name} iops"] is not None}
        for row in found
        if row["label"] != "\N{ZERO WIDTH SPACE}"
    ]


@pytest.mark.parametrize(
    ("low", "high", "mark", "drawn"),
    [
        (None, None, None, {"ours": 10}),
        (8, 12, None, {"ours": 8, "range": 4}),
        (None, None, 50, {"ours": 10, "gap": 39.7, "tick": 0.6}),
        (8, 12, 50, {"ours": 8, "range": 4, "gap": 37.7, "tick": 0.6}),
        (8, 12, 4, {"ours": 3.7, "tick": 0.6, "ours beyond": 3.7, "range beyond": 4}),
        (8, 12, 10, {"ours": 8, "range": 1.7, "tick": 0.6, "range beyond": 1.7}),
    ],
)
def test_parts_end_at_low_high_and_mark(
    low: float | None, high: float | None, mark: float | None, drawn: dict[str, float]
) -> None:
    """A tick is centred on the mark; its width is 0.6 % of the longest bar."""
    (parts, _) = _parts(
        ("a", "ours", 10, low, high, mark), ("longest", "ours", 100, None, None, None)
    )
    assert parts == pytest.approx(drawn)
    if mark:
        before = [*parts.values()][: [*parts].index("tick")]
        assert sum(before) + parts["tick"] / 2 == pytest.approx(mark)


def test_unknown_value_has_only_a_mark() -> None:
    (parts,) = _parts(("theory", "ours", None, None, None, 100))
    assert parts == pytest.approx({"gap": 99.7, "tick": 0.6})


def test_bars_keep_row_order_and_stack_equal_labels() -> None:
    rows = [("b", "ours", 1, None, None, None), ("a", "ours", 2, None, None, None),
        ("b", "ours", 3, None, None, None)]  # fmt: skip
    assert _parts(*rows) == [{"ours": 4}, {"ours": 2}]


def test_further_columns_are_text_not_bars() -> None:
    query = mart("none").ask(
        "from (values ('a', 'ours', 1.0, 7)) as given (label, series, value, depth)",
        "label", "series", "value", "depth",
    )  # fmt: skip
    bars = Bars(
        "A title", "A description.", query, empty="none", series={"ours": ""}, metric="iops"
    )
    made = duckdb.sql(bars._sql())
    assert str(made.types[made.columns.index("depth")]) == "VARCHAR"
