"""Whether a table has the same rows in two DuckDB files."""

from typing import NamedTuple

import duckdb


class Comparison(NamedTuple):
    """How many rows there are, and how many of them are in one file only."""

    row_count: int
    missing_count: int
    added_count: int

    @property
    def is_equal(self) -> bool:
        return not self.missing_count and not self.added_count


def compare(connection: duckdb.DuckDBPyConnection, expected: str, actual: str) -> Comparison:
    """Compare two relations row by row."""
    counts = [
        connection.sql(f"select count(*) from ({query})").fetchall()[0][0]
        for query in (
            f"from {actual}",
            f"(from {expected}) except all (from {actual})",
            f"(from {actual}) except all (from {expected})",
        )
    ]
    return Comparison(*counts)
