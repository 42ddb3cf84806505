"""Reads a batch of sources; runs in worker processes, apart from the warehouse."""

import multiprocessing
import os
import signal
import stat
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ingest.common.errors import InputError, NoResult
from ingest.common.text_files import as_utf8
from ingest.common.time_limit import time_limit
from ingest.find import other_formats
from ingest.find.identify import identify
from ingest.find.links import ANYWHERE, AllowedLinks
from ingest.find.packed import Member, Unpacker
from ingest.find.sources import PAPER_FILE
from ingest.parsers import Parser, white_paper
from ingest.records.archive import Archive, NewPack, file_id_of, tar_of, untar
from ingest.records.readings import CELL_ERRORS, Batch, Reading, Tables, as_streams

_LARGEST_BYTES = 2 << 30
_UNPACKER = Unpacker()  # the next batch continues where the last one ended
_MOST_SECONDS = 600.0  # after that, its disk or a parser hangs
_GRACE_SECONDS = 30.0
_TOO_DEEP = "is JSON nested too deeply to be read: truncated or damaged file"


def read_files(
    readings: list[Reading], archive: Archive | None, links: AllowedLinks = ANYWHERE
) -> Batch:
    """Read, archive and parse sources, each one atomically.

    Without an archive nothing is kept: a dry run. Links in papers must lead into the `links`.
    """
    pack = NewPack(archive) if archive else None
    rows = _read_each(readings, partial(_read_file, pack=pack, links=links))
    if pack:
        _seal(pack, readings, rows)
    batch = _as_batch(readings, rows)
    return batch if pack else Batch(readings, {})


def read_archived(readings: list[Reading], archive: Archive) -> Batch:
    """Parse archived contents again, by their `file_id` and the path that each was read from."""
    return _as_batch(readings, _read_each(readings, partial(_read_archived, archive=archive)))


def _read_each(readings: list[Reading], read: Callable[[Reading], Tables]) -> dict[str, Tables]:
    """The rows of each content by `file_id`; errors go to the readings."""
    rows_by_file_id: dict[str, Tables] = {}
    for reading in readings:
        rows = _attempt(reading, read)
        if rows is not None and reading.file_id:
            rows_by_file_id[reading.file_id] = rows
    return rows_by_file_id


def _seal(pack: NewPack, readings: list[Reading], rows_by_file_id: dict[str, Tables]) -> None:
    """Contents that cannot be kept are not loaded: the next ingest tries them again."""
    try:
        pack.seal()
    except OSError as error:
        for reading in readings:
            if reading.file_id in pack.file_ids:
                rows_by_file_id.pop(reading.file_id or "", None)
                reason = f"cannot be kept in the archive: {error}"
                reading.errors = [InputError(reading.path, reason)]
                reading.file_id, reading.is_read = None, False


def _as_batch(readings: list[Reading], rows_by_file_id: dict[str, Tables]) -> Batch:
    try:
        return Batch(readings, as_streams(rows_by_file_id))
    except CELL_ERRORS:
        fitting = _read_each(readings, partial(_fitting, rows_by_file_id=rows_by_file_id))
        return Batch(readings, as_streams(fitting))


def _fitting(reading: Reading, rows_by_file_id: dict[str, Tables]) -> Tables:
    """The rows of a content; raises InputError where a cell does not fit its column."""
    file_id = reading.file_id or ""
    rows = rows_by_file_id.get(file_id, {})
    try:
        as_streams({file_id: rows})
    except CELL_ERRORS as error:
        raise InputError(reading.path, f"has a value that fits no column: {error}") from error
    return rows


def _attempt(reading: Reading, read: Callable[[Reading], Tables]) -> Tables | None:
    """Turn any failure of a source into its errors: no other source is affected."""
    if multiprocessing.parent_process():  # SIGPROF kills a parser that ignores the alarm
        signal.setitimer(signal.ITIMER_PROF, _MOST_SECONDS + _GRACE_SECONDS)
    try:
        with time_limit(_MOST_SECONDS):
            return read(reading)
    except InputError as error:
        reading.errors = [error]
    except NoResult as found:
        reading.kind = found.kind
    except OSError as error:
        reading.errors = [InputError(reading.path, str(error))]
    except ExceptionGroup as group:
        reading.errors = [
            error if isinstance(error, InputError) else _bug(reading, error)
            for error in group.exceptions
        ]
    except RecursionError:
        reading.errors = [InputError(reading.path, _TOO_DEEP)]
    except Exception as error:
        reading.errors = [_bug(reading, error)]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def _bug(reading: Reading, error: Exception) -> InputError:
    reason = f"the {reading.parser} parser failed, please report it: {type(error).__name__}"
    return InputError(reading.path, f"{reason}: {error}")


def _read_file(reading: Reading, pack: NewPack | None, links: AllowedLinks) -> Tables:
    path = reading.path
    if reading.place and reading.place.member:
        return _read_content(reading, _member_content(reading.place.member), pack)
    if path.name == PAPER_FILE:
        return _read_paper(reading, pack, links)
    _refuse_irregular(path, path.stat(), _LARGEST_BYTES)
    return _read_content(reading, path.read_bytes(), pack)


def _refuse_irregular(path: Path, look: os.stat_result, largest_bytes: int) -> None:
    if not stat.S_ISREG(look.st_mode) and not stat.S_ISDIR(look.st_mode):
        raise InputError(path, "is a pipe, socket or device, not a regular file")
    if look.st_size > largest_bytes:
        size = f"{largest_bytes >> 30} GiB" if largest_bytes >> 30 else f"{largest_bytes >> 20} MiB"
        raise InputError(path, f"is larger than {size}: too large for a result file")


def _member_content(member: Member) -> bytes:
    if member.path.name == PAPER_FILE:
        reason = "belongs to a paper, which is read from its folder: unpack it"
        raise InputError(member.path, reason)
    return _UNPACKER.read(member)


def _read_paper(reading: Reading, pack: NewPack | None, links: AllowedLinks) -> Tables:
    """Read a paper; a folder whose document.yml is not a paper's is not archived."""
    path = reading.path
    reading.parser = white_paper.NAME
    members = white_paper.members(path)
    if len(members) > white_paper.MOST_FILES:
        raise InputError(path, f"has more than {white_paper.MOST_FILES} files beside it: no paper")
    left = white_paper.LARGEST_BYTES
    for member in members:
        if fault := links.refuse(member):
            raise fault
        look = member.stat()
        _refuse_irregular(member, look, left)
        left -= look.st_size
    reading.source_key = white_paper.source_key(path)
    reading.is_read = True
    _keep(reading, tar_of(path.parent, members), pack)
    return _parse(reading, white_paper, path, b"")


def _read_content(reading: Reading, content: bytes, pack: NewPack | None) -> Tables:
    """Read a content; a content without a parser is not archived."""
    reading.is_read = True
    data = as_utf8(content)
    other_formats.refuse_quotations(reading.path.name, data)
    parser = identify(reading.path, data)
    reading.parser = parser.NAME
    _keep(reading, content, pack)
    return _parse(reading, parser, reading.path, data)


def _keep(reading: Reading, content: bytes, pack: NewPack | None) -> None:
    reading.size_bytes = len(content)
    file_id = file_id_of(content)
    if pack:
        try:
            pack.store(file_id, content)
        except OSError:  # the next ingest tries again
            reading.is_read = False
            raise
    reading.file_id = file_id


def _read_archived(reading: Reading, archive: Archive) -> Tables:
    assert reading.file_id
    content = archive.read(reading.file_id)
    reading.size_bytes = len(content)
    if reading.path.name == PAPER_FILE:
        reading.parser = white_paper.NAME
        with tempfile.TemporaryDirectory() as folder:
            untar(content, Path(folder))
            path = Path(folder, PAPER_FILE)
            reading.source_key = white_paper.source_key(path)
            return _parse(reading, white_paper, path, b"")
    data = as_utf8(content)
    try:
        parser = identify(reading.path, data)
    except NoResult as error:
        raise InputError(reading.path, "no parser knows it any more") from error
    reading.parser = parser.NAME
    return _parse(reading, parser, reading.path, data)


def _parse(reading: Reading, parser: Parser, path: Path, data: bytes) -> Tables:
    rows = parser.parse(path, data)
    reading.row_count = sum(map(len, rows.values()))
    return rows
