"""`headroom verdict`: whether your own results can be trusted, and what speaks against them."""

import sys
from itertools import groupby
from pathlib import Path

import click
import duckdb

from headroom import terminal
from headroom.analyse.labelled import labelled
from headroom.analyse.places import AT_PLACES, require_read, spellings
from headroom.cli import EXIT_CHECKS_FAILED, command, format_option
from headroom.read.query import FORMATS
from headroom.warehouse import Warehouse, WarehouseError

_ASKED = f"""
    create temp table asked as
    with {AT_PLACES}

    select measurement_id
    from measurements
    where document_id is null and if(
        len($places::varchar[]) > 0,
        measurement_id in (from at_places) or list_contains($places::varchar[], measurement_id),
        not is_superseded
    )
"""
_COUNTS = """
    select count(*), count(*) filter (verdict = 'trusted')
    from rpt_run_verdicts where measurement_id in (from asked)
"""
_FOR_PEOPLE = {
    False: ("verdict", "run", "value_label", "reason"),
    True: ("run", "rule", "verdict", "value_label", "threshold_label", "reason"),
}


@command(
    "headroom verdict",
    "headroom verdict data/samples/fio-virtual-disk-runs/2026-11-21-database.json --all-rules",
    "headroom verdict data/samples || echo 'measure again'",
    "headroom verdict data/samples --format csv > verdicts.csv",
)
@click.argument("sought", nargs=-1, metavar="[PATH|MEASUREMENT]...", type=click.Path())
@click.option("--all-rules", is_flag=True, help="Print each rule: its verdict, value, threshold.")
@format_option("table", "csv", "json", "md")
def verdict(warehouse: Warehouse, sought: tuple[str, ...], all_rules: bool, output: str) -> None:
    """Print whether results of your own can be trusted, and what speaks against them.

    A PATH is a file, a folder or an archive of results, a MEASUREMENT a measurement_id of
    marts.measurements. Without one: all your own results, or the examples as long as you have none.
    To mute a rule, write it with the reason into headroom.yml; see docs/headroom-yml.md.

    Exit codes: 0 all are trusted, 1 one is not, 2 usage error, such as a path that was not read.
    """
    with warehouse.open_published() as connection:
        _choose(connection, sought)
        found = connection.sql(labelled("verdict", rules=all_rules))
        count, trusted_count = connection.execute(_COUNTS).fetchall()[0]
        if output == "md":
            found = found.select(", ".join(_FOR_PEOPLE[all_rules]))
        if output != "table":
            FORMATS[output](found)
        elif all_rules:
            _show_rules(found)
        else:
            _show(found)
            click.echo(f"{trusted_count} of {count} trusted; each rule: --all-rules")
    if trusted_count < count:
        sys.exit(EXIT_CHECKS_FAILED)


def _choose(connection: duckdb.DuckDBPyConnection, sought: tuple[str, ...]) -> None:
    """Choose the results as `temp.asked`; raises WarehouseError if a name has none."""
    connection.execute(_ASKED, {"places": spellings([str(Path(name)) for name in sought])})
    chosen = {name for (name,) in connection.execute("from asked").fetchall()}
    for name in sought:
        if name not in chosen:
            require_read(connection, str(Path(name)))
    if not chosen:
        of = f"{', '.join(sought)}: " if sought else ""
        raise WarehouseError(f"{of}no results of your own; read them: headroom nightly PATH")


def _show(found: duckdb.DuckDBPyRelation) -> None:
    rows = found.select("verdict, value_label, run || ': ' || reason").fetchall()
    terminal.columns(["verdict", "value", "run: reason"], rows)


def _show_rules(found: duckdb.DuckDBPyRelation) -> None:
    """A block for each result: its verdict, then a line for each rule."""
    heads = ["rule", "verdict", "value", "threshold", "reason"]
    rows = found.select(
        "concat_ws(', ', run_verdict, run_value_label) || ': ' || run, rule, verdict, value_label, "
        "threshold_label, reason"
    ).fetchall()
    for number, (heading, group) in enumerate(groupby(rows, lambda row: row[0])):
        if number:
            click.echo()
        terminal.wrapped(heading)
        terminal.columns(heads, [row[1:] for row in group])
