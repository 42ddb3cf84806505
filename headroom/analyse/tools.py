"""`headroom compare --tools`: tools and I/O engines that measured the same load."""

from itertools import groupby
from typing import Any

import click
import duckdb

from headroom import terminal
from headroom.read.query import FORMATS
from headroom.warehouse import rows_of

_CELL_WIDTHS = (22, 26, 10, 30)
_NOTHING = (
    "No two tools or engines have valid results for one load on one array: describe the array in a "
    "headroom.yml above the results of both, and run them with the same block size, share of "
    "reads, access pattern and outstanding I/Os."
)


def compare_tools(
    connection: duckdb.DuckDBPyConnection, profile_id: str | None, output: str
) -> None:
    """Print each load with its tools, the baseline first."""
    found = connection.sql(
        "from rpt_tools where coalesce(profile_id = $profile, $profile is null) "
        "order by load_label, load_id, ratio is null desc, tool_label",
        params={"profile": profile_id},
    )
    if output != "table":
        FORMATS[output](found)
        return
    rows = rows_of(found)
    if not rows:
        terminal.wrapped(_NOTHING)
    for number, (_, group) in enumerate(groupby(rows, lambda row: row["load_id"])):
        if number:
            click.echo()
        _show_load([*group])


def _show_load(rows: list[dict[str, Any]]) -> None:
    terminal.wrapped(rows[0]["load_label"])
    terminal.grid([("", "median", "latency", "factor"), *map(_cells, rows)], _CELL_WIDTHS, indent=2)
    for row in rows:
        if row["differences"]:
            terminal.wrapped(f"{row['tool_label']} differs: {row['differences']}", indent=2)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    count = row["run_count"]
    runs = f"{count} run{'s' * (count != 1)}, {row['trusted_run_count']} trusted"
    return (
        row["tool_label"],
        "\n".join(filter(None, (row["value_label"], row["range_label"], runs))),
        row["latency_label"] or "-",
        "\n".join(filter(None, (row["factor_label"], row["interval_label"]))),
    )
