"""`headroom digitise`: start a paper's folder, check it, show its values beside its pages."""

import sys
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import click
import jinja2

from headroom.cli import EXIT_INPUT_ERROR, command
from headroom.warehouse import Warehouse
from ingest.common.errors import InputError
from ingest.find.sources import PAPER_FILE
from ingest.parsers.white_paper import EDITIONS, TABLES, members, parse, source_key
from ingest.parsers.white_paper.sheets import SHEETS, Fact, Measurement, Profile

_PAUSE_SECONDS = 0.5
_PROOF = Path(__file__).with_name("digitise.html.j2")
_STARTED = (Measurement, Fact, Profile)
_TO_FILL = "to be filled in"
_DOCUMENT = """\
# docs/white-papers.md describes each field; null is "not reported".
document_id: {document_id}
title: {to_fill}
publisher: {to_fill}
version: null
published: null  # 2016-08-29, or null with the printed text below
published_as_printed: null
commissioned_by: null
tool_name: null
tool_version: null
url: null
units:  # 2 for powers of 1024, 10 for powers of 1000
  throughput: 10
  drive_capacity: 10
  other_sizes: 2
editions:
- edition: en
  title: {to_fill}
  version: null
  published: null
  page_count: null  # null if the text has no page marks
rights: null  # the licence or permission as stated
text_source: null  # where the text was read, and how much of it
note: null
"""


@command(
    "headroom digitise papers/new-paper",
    "headroom digitise papers/new-paper --paper new-paper.pdf",
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--paper", help="PDF or URL of the paper: write a page that shows it beside the values."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
def digitise(warehouse: Warehouse, folder: Path, paper: str | None, *, watch: bool) -> None:
    """Start the folder of a paper, or check it.

    A new FOLDER gets a document.yml and sheets with their headers. An existing one is read as
    headroom ingest reads it, without a warehouse: each bad row is named with its file, line and
    reason. Exit code 2 if any row is bad. See docs/white-papers.md.
    """
    if not (folder / PAPER_FILE).exists():
        start(folder)
    while True:
        changed = _changed(folder)
        is_good = _check(folder, paper)
        if not watch:
            sys.exit(0 if is_good else EXIT_INPUT_ERROR)
        while changed == _changed(folder):
            time.sleep(_PAUSE_SECONDS)


def start(folder: Path) -> None:
    """Write the files of a paper without values."""
    folder.mkdir(parents=True, exist_ok=True)
    document = _DOCUMENT.format(document_id=folder.resolve().name, to_fill=_TO_FILL)
    files = {PAPER_FILE: document}
    files |= {one.file: ",".join(one.__struct_encode_fields__) + "\n" for one in _STARTED}
    for name, text in files.items():
        with (folder / name).open("x", encoding="utf-8") as file:
            file.write(text)
    click.echo(f"{folder}: wrote {', '.join(files)}")


def _changed(folder: Path) -> list[tuple[Path, int]]:
    """When each file was written; an editor may replace one meanwhile."""
    found = members(folder / PAPER_FILE)
    return [(path, path.stat().st_mtime_ns if path.exists() else 0) for path in found]


def _check(folder: Path, paper: str | None) -> bool:
    """Print what is wrong with the folder, or what is in it."""
    path = folder / PAPER_FILE
    try:
        source_key(path)
        tables = parse(path, path.read_bytes())
    except InputError as error:
        click.echo(error, err=True)
        return False
    except ExceptionGroup as group:
        click.echo("\n".join(map(str, group.exceptions)), err=True)
        return False
    rows = {sheet.file: _rows(tables, sheet.table) for sheet in SHEETS}
    counts = ", ".join(f"{file} {len(found)}" for file, found in rows.items() if found)
    click.echo(f"{folder}: {counts or 'no rows yet'}")
    if _TO_FILL in path.read_text(encoding="utf-8"):
        click.echo(f"{path}: replace each {_TO_FILL!r}")
    if paper:
        proof = Path(f"{folder.resolve().name}.html")
        editions = [row["edition"] for row in _rows(tables, EDITIONS)]
        proof.write_text(_proof(proof.stem, paper, editions, rows), encoding="utf-8")
        click.echo(f"wrote {proof}")
    return True


def _rows(tables: dict[str, list[tuple[Any, ...]]], table: str) -> list[dict[str, Any]]:
    return [dict(zip(TABLES[table], row, strict=True)) for row in tables[table]]


def _proof(
    title: str, paper: str, editions: list[str], rows: dict[str, list[dict[str, Any]]]
) -> str:
    """A page with the printed values by page; a click on a page opens it in the paper."""
    values = sorted(
        (
            {
                "edition": row["edition"], "page": row["page"] or 0, "locator": row["locator"],
                "value": row["as_printed"], "place": f"{sheet.file}:{row['line']}",
                "of": ", ".join(str(row[name]) for name in sheet.key if _tells(name, row)),
            }
            for sheet in SHEETS
            for row in rows[sheet.file]
            if row.get("as_printed")
        ),
        key=lambda value: (editions.index(value["edition"]), value["page"]),
    )  # fmt: skip
    pages = groupby(values, key=lambda value: (value["edition"], value["page"]))
    address = Path(paper).resolve().as_uri() if Path(paper).exists() else paper
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_PROOF.read_text()).render(
        title=title, paper=address, pages=[(*page, list(found)) for page, found in pages]
    )


def _tells(name: str, row: dict[str, Any]) -> bool:
    """Whether a column tells what was measured, and not the value's place in the paper."""
    return name not in ("edition", "page", "locator", "as_printed") and row.get(name) is not None
