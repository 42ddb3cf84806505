"""`headroom compare`: two subjects side by side, with a factor if nothing else differs."""

import datetime
from itertools import groupby
from typing import Any

import click
import duckdb

from headroom import terminal
from headroom.analyse.labelled import labelled
from headroom.analyse.name_search import Subject, find_profile, find_subject
from headroom.analyse.tools import compare_tools
from headroom.cli import command, format_option
from headroom.read.query import FORMATS
from headroom.warehouse import Warehouse, WarehouseError, rows_of

_NIGHTS = ("previous", "last")
# By kind of subject: the columns that it sets, and the columns that must match for a factor. Other
# differences are only listed.
_DRIVES = {"drive_media", "drive", "drive_count"}
_COLUMNS: dict[str, tuple[set[str], set[str]]] = {
    "controller": ({"controller"}, {"raid_level"} | _DRIVES),
    "drive": ({"drive", "drive_media"}, {"controller", "raid_level", "drive_count"}),
    "document": ({"document_id"}, {"controller", "raid_level"} | _DRIVES),
    "tool": ({"tool_name", "tool_version"}, {"controller", "raid_level"} | _DRIVES),
    "host": ({"server"}, {"raid_level", "drive_media"}),
    "folder": (set(), {"raid_level", "drive_media"}),
    "array": (set(), set()),
}
# The results of a subject, by its kind; {} is its name.
_RESULTS = {
    "controller": "controller = {}",
    "drive": "drive = {}",
    "document": "document_id = {}",
    "tool": "document_id is null and tool_name = {}",
    "host": "server = {}",
    "folder": "document_id is null and starts_with(source_path || '/', {} || '/')",
    "array": "array_label = {}",
}
_NOTES = {
    "obstacles": "not the same",
    "unknowns": "may differ",
    "differences": "differ",
    "only_a": "only A reports",
    "only_b": "only B reports",
    "not_stated": "neither reports",
    "a_doubt": "A is not trusted",
    "b_doubt": "B is not trusted",
    "remedy": "hint",
}
_FOR_PEOPLE = (
    "pair_kind", "setting", "quantity", "a_label", "a_basis", "a_share_label", "b_label",
    "b_basis", "b_share_label", "factor_label", "interval_label", *_NOTES,
)  # fmt: skip
_CELL_WIDTHS = (12, 24, 24, 30)
_MOST_OTHERS = 5


@command(
    "headroom compare CP400i EP420i --profile Database",
    "headroom compare fio-virtual-disk fio-virtual-disk-runs --format md",
    "headroom compare previous last",
    "headroom compare --tools",
)
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option(
    "--tools", is_flag=True, help="Instead of A and B: your tools and I/O engines at the same load."
)
@click.option("--profile", help="Only this load profile: Database, or 8k random 67% read.")
@click.option("--baseline", metavar="A|B", help="Which of the two counts as 1.  [default: A]")
@click.option("--since", metavar="NIGHT", type=click.DateTime(["%Y-%m-%d"]),
    help="Only your own runs measured on or after this day (UTC).",
)  # fmt: skip
@format_option("table", "csv", "json", "md")
def compare(
    warehouse: Warehouse,
    a: str | None,
    b: str | None,
    tools: bool,
    profile: str | None,
    baseline: str | None,
    since: datetime.datetime | None,
    output: str,
) -> None:
    """Compare A and B: medians, their factor, and whether it is more than noise.

    A and B are controllers, drives, arrays, documents, hosts, tools or folders of results; parts of
    names are enough; add the kind if a name is ambiguous, as in `tool:fio`. `previous` and `last`
    are the last two nights. A factor is printed only if nothing but A and B differs; see
    docs/compare.md.
    """
    if tools:
        if a or baseline or since:
            raise click.UsageError("--tools takes only --profile and --format")
        with warehouse.open_published() as connection:
            compare_tools(connection, profile and find_profile(connection, profile), output)
        return
    if a is None or b is None:
        raise click.UsageError("name A and B, or use --tools")
    if {a, b} & {*_NIGHTS} and (baseline or since):
        raise click.UsageError("previous and last take only --profile and --format")
    sides = {"a": a, "b": b, a: a, b: b}
    base = sides.get(baseline or a) or sides.get(str(baseline).lower())
    if base is None:
        raise WarehouseError(f"--baseline {baseline}: write A ({a}) or B ({b})")
    first, second = (b, a) if base != a or (a, b) == _NIGHTS[::-1] else (a, b)
    if {first, second} & {*_NIGHTS}:
        _compare_nights(warehouse, first, second, profile, output)
        return
    with warehouse.open_published() as connection:
        profile_id = find_profile(connection, profile) if profile else None
        one, other = find_subject(connection, first), find_subject(connection, second)
        if one == other:
            raise WarehouseError(f"A and B are the same {one.kind}, {one.name}: name two")
        day = f"{since:%Y-%m-%d}" if since else None
        found = comparisons(connection, one, other, profile_id=profile_id, since=day)
        if not len(found):
            raise WarehouseError(_nothing_in_common(connection, one, other))
        _print(one, other, found, output)


def _compare_nights(
    warehouse: Warehouse, first: str, second: str, profile: str | None, output: str
) -> None:
    if {first, second} != {*_NIGHTS}:
        raise WarehouseError(f"{first}, {second}: previous can only be compared with last")
    profile_id = None
    if profile:
        with warehouse.open_published() as connection:
            profile_id = find_profile(connection, profile)
    with warehouse.open_quality() as connection:
        found = nights(connection, profile_id)
        if not len(found):
            raise WarehouseError("too few nights to compare (1 of 2): no series was measured again")
        _print(Subject("night", "previous"), Subject("night", "last"), found, output)


def comparisons(
    connection: duckdb.DuckDBPyConnection,
    a: Subject,
    b: Subject,
    *,
    profile_id: str | None = None,
    since: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """One row per pair of values of a and b; factors are b over a."""
    (of_a, same_of_a), (of_b, same_of_b) = _COLUMNS[a.kind], _COLUMNS[b.kind]
    files = ("compare_values", "compare_pairs", "compare_output")
    results = {"a": _RESULTS[a.kind].format("$a_name"), "b": _RESULTS[b.kind].format("$b_name")}
    query = labelled(*files, results=results, same=same_of_a & same_of_b, subjects=of_a | of_b)
    sides = {"a_kind": a.kind, "a_name": a.name, "b_kind": b.kind, "b_name": b.name}
    return connection.sql(query, params=sides | {"profile": profile_id, "since": since})


def nights(
    connection: duckdb.DuckDBPyConnection, profile_id: str | None = None
) -> duckdb.DuckDBPyRelation:
    """One row per series and metric of last night that was measured on a night before."""
    return connection.sql(labelled("compare_nights"), params={"profile": profile_id})


def _nothing_in_common(connection: duckdb.DuckDBPyConnection, a: Subject, b: Subject) -> str:
    if invalid := [note for one in (a, b) if (note := _why_invalid(connection, one))]:
        return "; ".join(invalid)
    return (
        f"{a.kind} {a.name} and {b.kind} {b.name} have no valid results of their own at a common "
        "load profile; results of both do not count; run: headroom catalog profiles"
    )


def _why_invalid(connection: duckdb.DuckDBPyConnection, subject: Subject) -> str | None:
    """The most frequent reason if none of its results is valid."""
    found = connection.execute(
        "select count(*), mode(validity_note) from rpt_measurements "
        f"where {_RESULTS[subject.kind].format('$1')} having bool_or(is_valid) is not true",
        [subject.name],
    ).fetchall()
    for count, note in found:
        reason = f", none valid: {note}" if count else ""
        return f"{subject.kind} {subject.name} has {count} result{'s' * (count != 1)}{reason}"
    return None


def _print(a: Subject, b: Subject, found: duckdb.DuckDBPyRelation, output: str) -> None:
    """Print the pairs; a table has a block for each: heading, a line for each quantity, notes."""
    if output == "md":
        found = found.select(", ".join(name for name in _FOR_PEOPLE if name in found.columns))
    if output != "table":
        FORMATS[output](found)
        return
    rows = rows_of(found)
    narrower = rows[0].get("narrower_side")
    click.echo(f"A: {a.name} ({a.kind}){', without B' * (narrower == 'b')}")
    click.echo(f"B: {b.name} ({b.kind}){', without A' * (narrower == 'a')}")
    for _, group in groupby(rows, lambda row: (row["pair_kind"], row["pair_id"])):
        pair = list(group)
        click.echo()
        if pair[0]["pair_kind"] == "other":
            _show_others(pair)
        else:
            _show_pair(pair)


def _show_pair(rows: list[dict[str, Any]]) -> None:
    first = rows[0]
    terminal.wrapped(first["setting"])
    shares = (first.get("a_share_label"), first.get("b_share_label"))
    lines = [("", "A", "B", "B / A"), *map(_cells, rows)]
    if any(shares):
        lines.append(("% of ceiling", *(share or "no ceiling known" for share in shares), ""))
    terminal.grid(lines, _CELL_WIDTHS, indent=2)
    for name, label in _NOTES.items():
        if first.get(name):
            terminal.wrapped(f"{label}: {first[name]}", indent=2)


def _show_others(rows: list[dict[str, Any]]) -> None:
    """Other results of B at the load profile, the same RAID level first."""
    terminal.wrapped(f"{rows[0]['setting']}, the rest of B")
    for row in rows[:_MOST_OTHERS]:
        share = f" (% of ceiling: {row['b_share_label']})" if row["b_share_label"] else ""
        terminal.wrapped(
            f"{row['b_label']}{share}: {row['b_array_label']}; {row['b_basis']}", indent=2
        )
    if more := rows[_MOST_OTHERS:]:
        click.echo(f"  and {len(more)} more: --format csv")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    pairs = (("a_label", "a_basis"), ("b_label", "b_basis"), ("factor_label", "interval_label"))
    return (
        row["quantity"],
        *("\n".join(filter(None, (row[upper], row[lower]))) for upper, lower in pairs),
    )
