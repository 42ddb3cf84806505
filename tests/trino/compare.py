"""Whether two tables hold the same rows, and if not how far apart they are."""

import math
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

import duckdb
import trino
from trino.types import NamedRowTuple

from headroom.built import quoted
from headroom.trino.load import run

Row = tuple[Any, ...]


class Comparison(NamedTuple):
    """What was found of one table."""

    row_count: int
    other_row_count: int
    unequal_count: int
    most_relative: float  # the largest relative difference of two doubles; infinite for others
    columns: dict[str, tuple[Any, Any]]  # an example of each column that differs

    @property
    def is_equal(self) -> bool:
        return self.unequal_count == 0 and self.row_count == self.other_row_count


def compare(names: list[str], ours: Iterable[Row], theirs: Iterable[Row]) -> Comparison:
    """The rows as multisets; of rows that are in only one, which columns differ and how far."""
    one = Counter(normal(row) for row in ours)
    other = Counter(normal(row) for row in theirs)
    only_one = sorted((one - other).elements(), key=_place)
    only_other = sorted((other - one).elements(), key=_place)
    columns: dict[str, tuple[Any, Any]] = {}
    most = 0.0
    for a, b in zip(only_one, only_other, strict=False):
        for name, x, y in zip(names, a, b, strict=True):
            if x != y:
                most = max(most, _apart(x, y))
                columns.setdefault(name, (x, y))
    if len(only_one) != len(only_other):
        most = math.inf
    unequal = max(len(only_one), len(only_other))
    return Comparison(one.total(), other.total(), unequal, most, columns)


def compare_tables(
    name: str,
    warehouse: duckdb.DuckDBPyConnection,
    cluster: trino.dbapi.Connection,
    apart: str | None = None,
    theirs_is: str | None = None,
) -> Comparison | None:
    """What the two differ in, but for the column `apart`; None where Trino has no such table.

    Trino's may have another name.
    """
    columns = warehouse.sql(f"from {quoted(name)}").columns
    listed = ", ".join(f'"{column}"' for column in columns if column != apart)
    try:
        theirs = run(cluster, f"select {listed} from {theirs_is or name}")
    except trino.exceptions.TrinoUserError as error:
        if error.error_name != "TABLE_NOT_FOUND":
            raise
        return None
    ours = warehouse.sql(f"select {listed} from {quoted(name)}")
    return compare(ours.columns, ours.fetchall(), map(tuple, theirs))


def normal(value: Any) -> Any:
    """A value that is equal to the other engine's."""
    if isinstance(value, NamedRowTuple):
        value = dict(zip(value.__annotations__["names"], value, strict=True))
    if isinstance(value, dict):
        return tuple(sorted(((key, normal(each)) for key, each in value.items()), key=repr))
    if isinstance(value, (list, tuple)):
        return tuple(normal(each) for each in value)
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return value


def _place(row: Row) -> str:
    """Rows beside their likes: by their texts first, doubles to six digits."""
    texts = [str(each) for each in row if not isinstance(each, float)]
    numbers = [f"{each:.6g}" for each in row if isinstance(each, float)]
    return "|".join(texts + numbers)


def _apart(one: Any, other: Any) -> float:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) / max(abs(one), abs(other))
    return math.inf
