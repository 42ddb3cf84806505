"""Prints tables, texts and progress for people."""

import io
import itertools
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from typing import Any, TypeVar

import click
import duckdb

_UNBOUNDED = 10_000
_MOST_COLUMNS = 100
_NARROWEST_CELL = 16
_NARROWEST_TEXT = 20
T = TypeVar("T")


def width() -> int:
    """The terminal's width, at most 100; 100 without a terminal."""
    return min(_terminal_width(), _MOST_COLUMNS)


def _terminal_width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBOUNDED


def table(relation: duckdb.DuckDBPyRelation) -> None:
    """All rows as DuckDB draws them; a line for each column if the terminal is too narrow."""
    heads = zip(relation.columns, relation.types, strict=True)
    if sum(max(len(name), len(str(kind))) + 3 for name, kind in heads) > _terminal_width():
        lines(relation)
        return
    with redirect_stdout(io.StringIO()) as drawn:  # narrower, DuckDB would leave out columns
        relation.show(max_width=_UNBOUNDED, max_rows=_UNBOUNDED, max_col_width=80)
    if max(map(len, drawn.getvalue().splitlines())) > _terminal_width():
        lines(relation)
    else:
        click.echo(drawn.getvalue(), nl=False)


def lines(relation: duckdb.DuckDBPyRelation) -> None:
    """All rows, a line for each column."""
    name_width = max(map(len, relation.columns))
    for number, row in enumerate(relation.fetchall(), 1):
        click.echo(f"{'' if number == 1 else chr(10)}row {number}")
        for name, value in zip(relation.columns, row, strict=True):
            line = f"{name:>{name_width}} = {'NULL' if value is None else value}"
            if len(line) <= _terminal_width():
                click.echo(line)
            else:
                room = _terminal_width()
                hanging(line, min(name_width + 3, room - _NARROWEST_TEXT), room=room)


def hanging(text: str, indent: int, start: str = "", room: int | None = None) -> None:
    """Wrap a text with a hanging indent; paths are not broken."""
    filled = textwrap.fill(
        text, room or width(), initial_indent=start, subsequent_indent=" " * indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    click.echo(filled or start.rstrip())


def columns(heads: list[str], rows: Iterable[Sequence[object]]) -> None:
    """An indented table whose last column is wrapped; paths are not broken.

    A line for each column if the terminal is too narrow.
    """
    texts = [heads, *(["" if cell is None else str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in texts) for at in range(len(heads) - 1)]
    start_width = 2 + sum(widths) + 2 * len(widths)
    if start_width + _NARROWEST_TEXT > _terminal_width():
        _items(texts, 2)
        return
    room = max(width(), start_width + _NARROWEST_TEXT)
    for *cells, last in texts:
        start = "".join(f"{cell:<{wide}}  " for cell, wide in zip(cells, widths, strict=True))
        hanging(last, start_width, f"  {start}", room)


def _items(texts: Iterable[Sequence[str]], indent: int) -> None:
    """A line for each cell, after its heading; the first row has the headings."""
    heads, *rows = texts
    head_width = max(map(len, heads))
    for number, row in enumerate(rows):
        if number:
            click.echo()
        for head, text in zip(heads, row, strict=True):
            line = f"{head:<{head_width}}  {' '.join(text.split())}".rstrip()
            hanging(line, indent + head_width + 2, " " * indent)


def wrapped(text: str, indent: int = 0) -> None:
    """Wrap a text."""
    start = " " * indent
    click.echo(textwrap.fill(text, width(), initial_indent=start, subsequent_indent=start + "  "))


def shell_lines(command: str, indent: int, margin: int = 0) -> str:
    """A shell command, broken into lines if the terminal is too narrow; `margin` is more indent."""
    room = _terminal_width() - indent - margin - len(" \\")
    lines = textwrap.wrap(
        command, room, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    is_whole = len(command) <= room + len(" \\")
    return textwrap.indent(command if is_whole else " \\\n".join(lines), " " * indent)


def grid(rows: Iterable[Sequence[str]], widths: Sequence[int], indent: int = 0) -> None:
    """A table with wrapped cells. On a narrow terminal the widest columns shrink; if that is not
    enough, each cell has a line."""
    rows = [*rows]
    widths = _narrowed(widths, width() - indent - 2 * (len(widths) - 1))
    if not widths:
        _items(rows, indent)
    for row in rows if widths else ():
        cells = [
            [part for line in text.split("\n") for part in textwrap.wrap(line, wide) or [""]]
            for text, wide in zip(row, widths, strict=True)
        ]
        for line in itertools.zip_longest(*cells, fillvalue=""):
            shown = "  ".join(f"{part:<{wide}}" for part, wide in zip(line, widths, strict=True))
            click.echo(" " * indent + shown.rstrip())


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Widths that fit; empty if columns would get too narrow."""
    fitting = [*widths]
    while sum(fitting) > room:
        widest = max(fitting)
        if widest <= _NARROWEST_CELL:
            return []
        fitting[fitting.index(widest)] -= 1
    return fitting


def bar(label: str, length: int = 1, **looks: Any) -> Any:
    """A progress bar on terminals, without an estimate of the time."""
    return click.progressbar(
        length=length,
        label=label,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        show_eta=False,
        show_pos=True,
        **looks,
    )


def progress(found: Iterable[T], count: int) -> list[T]:
    """Collect the outcomes of files; on a terminal with a progress bar."""
    started_at = time.monotonic()
    outcomes: list[T] = []

    def rate(_: T | None) -> str:
        return f"{len(outcomes) / max(time.monotonic() - started_at, 1e-3):.0f} files/s"

    with bar("ingesting", count, item_show_func=rate, update_min_steps=50) as files:
        for outcome in found:
            outcomes.append(outcome)
            files.update(1)
    return outcomes
