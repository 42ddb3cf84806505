"""A digitised white paper: a folder with `document.yml`, tidy CSV sheets and digitised figures.

The folder is read as one source: its sheets name each other's profiles, drives and controllers.
`docs/white-papers.md` is the format's description.
"""

import os
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import polars as pl
from msgspec.structs import asdict

from ingest.common.errors import InputError
from ingest.parsers.white_paper.cells import LIST_SEPARATOR, Values
from ingest.parsers.white_paper.document import Document, Edition, Units, read_document
from ingest.parsers.white_paper.sheets import SHEETS, Fact, Figure, Forecast, Measurement, Profile
from ingest.parsers.white_paper.tidy import read_sheet, sheet_schema
from ingest.parsers.white_paper.web_plot_digitizer import read_digitised_figure

NAME = "white_paper"
VERSION = 4
MOST_FILES = 1000
LARGEST_BYTES = 32 << 20
_LONGEST = 1000
_MOST_ERRORS = 50
Fault = tuple[Values, str]
"""A row and its fault."""
DOCUMENTS = "white_paper_documents"
EDITIONS = "white_paper_editions"


def _columns(struct: type[msgspec.Struct], *others: str) -> dict[str, pl.DataType]:
    """The columns of a struct's fields, but for the others."""
    hints = get_type_hints(struct)
    return dict(pl.Schema({name: hints[name] for name in hints if name not in others}))


TABLES: dict[str, dict[str, pl.DataType]] = {
    DOCUMENTS: {
        **_columns(Document, "units", "editions", "stripe"),
        "stripe": pl.String(),
        **{f"{name}_base": pl.Int64() for name in Units.__struct_fields__},
    },
    EDITIONS: {"document_id": pl.String(), "edition_order": pl.Int64(), **_columns(Edition)},
    **{sheet.table: {"document_id": pl.String(), **sheet_schema(sheet)} for sheet in SHEETS},
}


def matches(head: str) -> bool:
    """Whether it is a document.yml under another name."""
    return "document_id:" in head and "editions:" in head


def members(path: Path) -> list[Path]:
    """All files of the paper's folder and of the folders in it, `document.yml` first; beyond
    MOST_FILES some are left out."""
    return [path, *sorted(islice(_others(path), MOST_FILES))]


def _others(path: Path) -> Iterator[Path]:
    for entry in _listed(str(path.parent)):
        if entry.is_dir(follow_symlinks=False):
            inner = _listed(entry.path)
            yield from (Path(one.path) for one in inner if not one.is_dir(follow_symlinks=False))
        elif entry.name != path.name:
            yield Path(entry.path)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    """Entries that are not hidden; none if the folder cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            found = islice(entries, 2 * MOST_FILES)
            return [entry for entry in found if not entry.name.startswith(".")]
    except OSError:
        return []


def source_key(path: Path) -> str:
    """The paper's id; raises InputError for an unreadable document.yml or a foreign file."""
    document = read_document(path)
    _refuse_foreign_files(path)
    return document.document_id


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read the paper whose `document.yml` is at `path`, with its sheets; `data` is not used.

    Raises:
        InputError: document.yml or a digitised figure cannot be read.
        ExceptionGroup[InputError]: rows of the sheets cannot be read, one error each.
    """
    document = read_document(path)
    rows: dict[str, list[Values]] = {}
    errors: list[InputError] = []
    for sheet in SHEETS:
        sheet_path = path.parent / sheet.file
        rows[sheet.table] = []
        if sheet_path.exists():
            try:
                rows[sheet.table] = read_sheet(sheet_path, sheet, document)
            except ExceptionGroup as group:
                errors += [error for error in group.exceptions if isinstance(error, InputError)]
    if not errors:
        rows[Measurement.table] += _digitised_points(path.parent, rows[Figure.table])
        faults = chain(_unknown_names(rows), _split_profiles(rows), _partial_profiles(rows))
        errors = [
            InputError(path.parent / row["sheet_path"], reason, line=row["line"])
            for row, reason in faults
        ]
    if len(errors) > _MOST_ERRORS:
        more = InputError(path, f"and {len(errors) - _MOST_ERRORS} more rows that cannot be read")
        errors = [*errors[:_MOST_ERRORS], more]
    if errors:
        raise ExceptionGroup(document.document_id, errors)
    bases = {f"{name}_base": base for name, base in asdict(document.units).items()}
    rows[DOCUMENTS] = [asdict(document) | bases]
    rows[EDITIONS] = [
        asdict(edition) | {"edition_order": order}
        for order, edition in enumerate(document.editions, start=1)
    ]
    for row in chain.from_iterable(rows.values()):
        row["document_id"] = document.document_id
    return {
        table: [tuple(map(row.get, schema)) for row in rows[table]]
        for table, schema in TABLES.items()
    }


def _refuse_foreign_files(path: Path) -> None:
    """Otherwise a misspelled sheet would load as a paper without that sheet."""
    sheets = {path.parent / sheet.file for sheet in SHEETS} | {path}
    for file in members(path):
        if file not in sheets and (file.parent.name != "figures" or file.suffix != ".csv"):
            names = ", ".join(sheet.file for sheet in SHEETS)
            raise InputError(file, f"is not a file of a paper: {names}, figures/<figure_id>.csv")


def _digitised_points(folder: Path, figures: list[Values]) -> list[Values]:
    points: list[Values] = []
    known = {figure["figure_id"]: figure for figure in reversed(figures)}  # the leading edition's
    exports = {path.stem: path for path in sorted((folder / "figures").glob("*.csv"))}
    for figure_id, path in exports.items():
        if figure_id not in known:
            raise InputError(path, f"figures.csv has no figure_id {figure_id!r}")
        points += read_digitised_figure(path, known[figure_id])
    for figure in figures:
        if figure["is_digitised"] and figure["figure_id"] not in exports:
            reason = f"says that {figure['figure_id']!r} is digitised; its figures/*.csv is missing"
            raise InputError(folder / figure["sheet_path"], reason, line=figure["line"])
    return points


def _unknown_names(rows: dict[str, list[Values]]) -> Iterator[Fault]:
    """Rows naming a profile, drive or controller that no sheet of the paper describes."""
    described = {"profile": {row["profile"] for row in rows[Profile.table]}}
    for kind in ("controller", "drive"):
        facts = [row for row in rows[Fact.table] if row["subject_type"] == kind]
        described[kind] = {name for row in facts for name in row["subject"].split(LIST_SEPARATOR)}
    known = {
        kind: ", ".join(sorted(names))[:_LONGEST] or "none" for kind, names in described.items()
    }
    for row in (*rows[Measurement.table], *rows[Forecast.table]):
        for kind, names in described.items():
            for name in (row[kind] or "").split(LIST_SEPARATOR):
                if name and name not in names:
                    reason = f"{kind} {name!r} is not described in the paper's sheets"
                    yield row, f"{reason}; known are {known[kind]}"


def _split_profiles(rows: dict[str, list[Values]]) -> Iterator[Fault]:
    """Rows of one profile that differ in more than their block."""
    first: dict[str, Values] = {}
    for row in rows[Profile.table]:
        known = first.setdefault(row["profile"], row)
        for name in ("random_percent", "read_percent", "alignment_number", "stream_count"):
            if row[name] != known[name]:
                place = f"line {known['line']} in {name}"
                yield row, f"profile {row['profile']!r} differs from {place}"


def _partial_profiles(rows: dict[str, list[Values]]) -> Iterator[Fault]:
    """Profiles whose blocks' shares do not add up to 100%, give or take 1% of rounding."""
    parts: dict[tuple[str, str], list[Values]] = {}
    for row in rows[Profile.table]:
        if row["share_percent"] is not None:
            parts.setdefault((row["edition"], row["profile"]), []).append(row)
    for (_, profile), blocks in parts.items():
        share = sum(row["share_percent"] for row in blocks)
        if abs(share - 100) > 1:
            reason = f"has shares of {share:g}% together; they must be 100%"
            yield blocks[-1], f"profile {profile!r} {reason}"
