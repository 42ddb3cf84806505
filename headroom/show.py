"""What the commands print: tables, outcomes and progress for people."""

import itertools
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
import duckdb

if TYPE_CHECKING:  # imports all that ingest needs
    import polars as pl
    from click._termui_impl import ProgressBar

    from ingest.records.recording import Outcome

_UNBOUNDED = 10_000
_TEXT_WIDTH = 100


def table(relation: duckdb.DuckDBPyRelation) -> None:
    """All rows, as DuckDB draws them; a line for each column where a terminal is too narrow."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBOUNDED
    heads = zip(relation.columns, relation.types, strict=True)
    if sum(max(len(name), len(str(kind))) + 3 for name, kind in heads) > width:
        lines(relation)
    else:
        relation.show(max_width=width, max_rows=_UNBOUNDED, max_col_width=80)


def lines(relation: duckdb.DuckDBPyRelation) -> None:
    """All rows, a line for each column."""
    width = max(map(len, relation.columns))
    for number, row in enumerate(relation.fetchall(), 1):
        click.echo(f"{'' if number == 1 else chr(10)}row {number}")
        for name, value in zip(relation.columns, row, strict=True):
            click.echo(f"{name:>{width}} = {'NULL' if value is None else value}")


def columns(heads: list[str], rows: list[tuple[object, ...]]) -> None:
    """Rows below their heads, indented; the last column is wrapped, a path in it is not cut."""
    texts = [heads, *(["" if cell is None else str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in texts) for at in range(len(heads) - 1)]
    indent = "  " + "".join(" " * width + "  " for width in widths)
    room = max(_TEXT_WIDTH - len(indent), 20)
    for *cells, last in texts:
        start = "  " + "".join(
            f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True)
        )
        first, *more = textwrap.wrap(
            last, room, break_long_words=False, break_on_hyphens=False
        ) or [""]
        click.echo(f"{start}{first}".rstrip())
        for line in more:
            click.echo(f"{indent}{line}")


def descriptions(rows: list[tuple[str, str, str]]) -> None:
    """Names, what they are in a word, and what they mean, as wide as the terminal."""
    name_width, word_width = (max(len(row[part]) for row in rows) for part in (0, 1))
    indent = name_width + word_width + 4
    width = max(shutil.get_terminal_size().columns - indent, 40)
    for name, word, text in rows:
        first, *more = textwrap.wrap(text or "", width) or [""]
        click.echo(f"{name:<{name_width}}  {word:<{word_width}}  {first}".rstrip())
        for line in more:
            click.echo(" " * indent + line)


def wrapped(text: str, indent: int = 0) -> None:
    """A text in lines of at most 100 characters."""
    start = " " * indent
    click.echo(
        textwrap.fill(text, _TEXT_WIDTH, initial_indent=start, subsequent_indent=start + "  ")
    )


def grid(rows: Iterable[Sequence[str]], widths: Sequence[int], indent: int = 0) -> None:
    """Cells of several lines beside each other; a longer line is wrapped."""
    for row in rows:
        cells = [
            [part for line in text.split("\n") for part in textwrap.wrap(line, width) or [""]]
            for text, width in zip(row, widths, strict=True)
        ]
        for line in itertools.zip_longest(*cells, fillvalue=""):
            shown = "  ".join(f"{part:<{width}}" for part, width in zip(line, widths, strict=True))
            click.echo(" " * indent + shown.rstrip())


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


def bar(label: str, length: int = 1, **looks: Any) -> "ProgressBar[Any]":
    """How many are done, on a terminal; without a time, for one costs more than another."""
    return click.progressbar(
        length=length,
        label=label,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        show_eta=False,
        show_pos=True,
        **looks,
    )


def progress(found: "Iterable[Outcome]", count: int) -> "list[Outcome]":
    """Take the outcomes; on a terminal with a bar and files per second."""
    started_at = time.monotonic()
    outcomes: list[Outcome] = []

    def rate(_: "Outcome | None") -> str:
        return f"{len(outcomes) / max(time.monotonic() - started_at, 1e-3):.0f} files/s"

    with bar("ingesting", count, item_show_func=rate, update_min_steps=50) as files:
        for outcome in found:
            outcomes.append(outcome)
            files.update(1)
    return outcomes


def checks(results: "pl.DataFrame") -> None:
    """What failed, and how many passed."""
    for row in results.to_dicts():
        if not row["is_passed"]:
            click.echo(f"  FAILED {row['severity']} {row['check_id']}: {row['description']}")
            click.echo(f"    observed {row['observed']}; rows: {row['sample_rows']}")
    click.echo(f"{results['is_passed'].sum()} of {results.height} checks passed")
