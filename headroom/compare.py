"""`headroom compare`: two subjects side by side, where nothing but the subjects differs."""

from itertools import groupby
from pathlib import Path
from typing import Any

import click
import duckdb
from jinja2 import Environment

from headroom import show
from headroom.names import Subject, find_subject
from headroom.query import FORMATS
from headroom.warehouse import WarehouseError

_MACROS = Path(__file__).parents[1] / "dbt_project/macros"
_QUERY = Path(__file__).with_suffix(".sql")
# What has to be the same of the systems, by what is compared; what else differs is only told.
_SAME = {
    "controller": {"raid_level", "drive_media", "drive", "drive_count"},
    "drive": {"controller", "raid_level", "drive_count"},
    "document": {"controller", "raid_level", "drive_media", "drive", "drive_count"},
    "host": {"raid_level", "drive_media"},
    "folder": {"raid_level", "drive_media"},
    "array": set[str](),
}
# What the subjects say themselves.
_SUBJECT_COLUMNS = {
    "controller": {"controller"},
    "drive": {"drive", "drive_media"},
    "document": {"document_id"},
    "host": {"server"},
    "folder": {"place"},
    "array": set[str](),
}
_FOR_PEOPLE = (
    "setting, quantity, a_label, a_basis, b_label, b_basis, factor_label, interval_label, "
    "obstacles, differences, not_stated"
)
_CELL_WIDTHS = (12, 24, 24, 30)


def compare(
    connection: duckdb.DuckDBPyConnection,
    first: str,
    second: str,
    *,
    profile_id: str | None,
    since: str | None,
    output: str,
) -> None:
    """Print what of the second compares with what of the first, and by what factor.

    Raises:
        WarehouseError: a name is not known or means several things; or the two have no load
            profile in common.
    """
    a, b = find_subject(connection, first), find_subject(connection, second)
    if a == b:
        raise WarehouseError(f"both are {a.kind} {a.name}: name two")
    found = comparisons(connection, a, b, profile_id=profile_id, since=since)
    if not len(found):
        named = f" {profile_id}" if profile_id else ""
        raise WarehouseError(
            f"{a.name} and {b.name} have no load profile{named} in common; "
            f'run: headroom sql "select distinct profile_label from measurements '
            f"where array_label like '%...%'\""
        )
    if output == "table":
        _show(a, b, found)
    else:
        FORMATS[output](found.select(_FOR_PEOPLE) if output == "md" else found)


def comparisons(
    connection: duckdb.DuckDBPyConnection,
    a: Subject,
    b: Subject,
    *,
    profile_id: str | None = None,
    since: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """One row per pair of values of a and b; factors are b over a."""
    given = {
        "a_kind": a.kind,
        "a_name": a.name,
        "b_kind": b.kind,
        "b_name": b.name,
        "profile": profile_id,
        "since": since,
        "same": sorted(_SAME[a.kind] & _SAME[b.kind]),
        "subjects": sorted(_SUBJECT_COLUMNS[a.kind] | _SUBJECT_COLUMNS[b.kind]),
    }
    return connection.sql(query(), params=given)


def query() -> str:
    """The comparison with the macros that models use, so that words and marks are theirs."""
    macros = "".join((_MACROS / f"{name}.sql").read_text() for name in ("texts", "comparisons"))
    return Environment().from_string(macros + _QUERY.read_text()).render()


def _show(a: Subject, b: Subject, found: duckdb.DuckDBPyRelation) -> None:
    """A heading for each setting, a line for each quantity, and what else is known of them."""
    click.echo(f"A: {a.name} ({a.kind})\nB: {b.name} ({b.kind})")
    chosen = found.select(_FOR_PEOPLE)
    rows: list[dict[str, Any]] = [
        dict(zip(chosen.columns, row, strict=True)) for row in chosen.fetchall()
    ]
    notes = ("setting", "obstacles", "differences", "not_stated")
    for (setting, *told), group in groupby(rows, lambda row: [row[name] for name in notes]):
        click.echo()
        show.wrapped(setting)
        cells = [("", "A", "B", "B / A")] + [
            (
                row["quantity"],
                *(
                    "\n".join(filter(None, (row[f"{side}_label"], row[f"{side}_basis"])))
                    for side in "ab"
                ),
                "\n".join(filter(None, (row["factor_label"], row["interval_label"]))),
            )
            for row in group
        ]
        show.grid(cells, _CELL_WIDTHS, indent=2)
        for label, text in zip(("not the same", "differ", "not stated"), told, strict=True):
            if text:
                show.wrapped(f"{label}: {text}", indent=2)
