"""What the commands print: tables, outcomes and progress for people."""

import shutil
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click
import duckdb

if TYPE_CHECKING:  # imports all that ingest needs
    from ingest.records.recording import Outcome

_UNBOUNDED = 10_000


def table(relation: duckdb.DuckDBPyRelation) -> None:
    """All rows, as DuckDB draws them; on a terminal as many columns as fit."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBOUNDED
    relation.show(max_width=width, max_rows=_UNBOUNDED, max_col_width=80)


def outcomes(found: "Iterable[Outcome]") -> None:
    """How many were loaded, unchanged, quarantined, ignored if any; and why what is quarantined."""
    found = list(found)
    click.echo(_counts(found))
    errors = [(outcome.parser or "none", error) for outcome in found for error in outcome.errors]
    if errors:
        width = max(len(parser) for parser, _ in errors)
        click.echo(f"{'parser':<{width}}  quarantined because")
        for parser, error in errors:
            click.echo(f"{parser:<{width}}  {error}")


def rehearsal(found: "Iterable[Outcome]") -> None:
    """What would become of each source, and how many of each."""
    found = list(found)
    for outcome in found:
        for line in [str(error) for error in outcome.errors] or [outcome.path]:
            click.echo(f"{outcome.status:<11}  {line}")
    click.echo(f"dry run, nothing is written: {_counts(found)}")


def _counts(found: "list[Outcome]") -> str:
    from ingest.records.recording import count_by_status

    counts = count_by_status(found)
    rows = sum(outcome.row_count for outcome in found)
    told = [status for status in counts if counts[status] or status != "ignored"]
    text = ", ".join(f"{counts[status]} {status}" for status in told)
    return f"{text} ({rows} rows)" if rows else text


def progress(found: "Iterable[Outcome]", count: int) -> "list[Outcome]":
    """Take the outcomes; on a terminal with a bar, files per second and the time that remains."""
    started_at = time.monotonic()
    done = 0

    def rate(_: "Outcome | None") -> str:
        return f"{done / max(time.monotonic() - started_at, 1e-3):.0f} files/s"

    outcomes = []
    with click.progressbar(
        found,
        length=count,
        label="ingesting",
        item_show_func=rate,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        update_min_steps=50,
    ) as bar:
        for outcome in bar:
            done += 1
            outcomes.append(outcome)
    return outcomes
