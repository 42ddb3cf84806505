"""Identifies the parser of a source by its content."""

import re
from pathlib import Path

from ingest.common.errors import InputError
from ingest.find import other_formats
from ingest.find.sources import PAPER_FILE, SIDECAR_FILE
from ingest.parsers import PARSERS, Parser, fio, fio_log, fio_text, white_paper
from ingest.parsers.fio_log import is_log_name

_SIDECAR_LIKE = re.compile(r"headroom\.ya?ml(\.txt)?", re.IGNORECASE)
_HEAD_BYTES = 4096
_LONG_HEAD_BYTES = 1 << 20  # for files that begin with pages of messages


def identify(path: Path, data: bytes) -> Parser:
    """The one parser that knows the content; a paper is known by its name, since people write it.

    Raises:
        InputError: it looks like a result that cannot be read, or is a sidecar under a wrong name.
        NoResult: it does not look like a result.
    """
    if path.name == PAPER_FILE:
        return white_paper
    if _SIDECAR_LIKE.fullmatch(path.name):
        raise InputError(path, f"is not read under this name: rename it to {SIDECAR_FILE}")
    if not data[:_HEAD_BYTES].strip() and is_log_name(path.name):
        return fio_log  # empty: the engine does not have this latency
    matching = _matching(data[:_HEAD_BYTES]) or _matching(data[:_LONG_HEAD_BYTES])
    if fio_text in matching:  # --output-format=normal,json: one run, all of it in the JSON
        matching = [fio] if b'"fio version"' in data else [one for one in matching if one != fio]
    if len(matching) == 1:
        return matching[0]
    if matching:
        claimants = ", ".join(parser.NAME for parser in matching)
        raise InputError(path, f"several parsers claim it: {claimants}")
    other_formats.refuse(path, data)


def _matching(head: bytes) -> list[Parser]:
    text = head.decode(errors="replace")
    return [parser for parser in PARSERS if parser.matches(text)]
