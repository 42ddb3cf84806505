"""Classifies files that no parser reads: damaged results, with a remedy, and other files."""

import re
from pathlib import Path
from typing import NoReturn

import msgspec

from ingest.common.errors import InputError, NoResult
from ingest.parsers import vdbench
from ingest.parsers.fio_log import is_log_name

_AS_JSON = "run fio with --output-format=json"
_NO_PARSER = "there is no parser for it"
# Name, remedy (None if it is no result), and a pattern for its first lines.
_FORMATS = (
    ("fio's terse output of version 2", _AS_JSON, r"^2;[^;\n]+;\d+;\d+;\d+;"),
    ("a part of fio's normal output", "restore the whole file",
     r"^ +(?:read|write|trim)[ ]?: (?:IOPS=|io=.+ runt=)"),
    ("a part of a fio JSON result", "restore the whole file",
     r'^[{ \t]*"(?:global options|job options|jobname|clat_ns)"\s*:'),
    ("a part of an Iometer result", "restore the whole file", r"^'Access specification name,"),
    ("fio job file", None,
     r"\A(?:[ \t\r]*(?:[#;].*)?\n)*\[[^\]\n]+\][ \t\r]*\n"
     r"(?:.*\n)*?(?:rw|readwrite|ioengine|bs|filename)[ \t]*="),
    ("vdbench parameter file", None, r"^[sw]d=\w+,[\s\S]*^rd=\w+,"),
    ("elbencho's JSON", "run elbencho with --csvfile", r'^\{"phase_type":"'),
    ("a result of bonnie++", _NO_PARSER,
     r"^Version +[\d.]+\w? +-+Sequential Output|^1\.9\d\w?,[12]\.\d\d\w?,"),
    ("DiskSpd profile", None,
     r"^Command Line: .*[ \t](?-i:[-/]Rp)"
     r"|\A(?:<\?xml[^>]*>)?\s*<Profile>\s*<(?:Progress|ResultFormat|TimeSpans)>"),
    ("a part of a DiskSpd result", "restore the whole file",
     r"^Command Line: .*diskspd|^Results for timespan \d+:\s+\*{9}"),
    ("a result of IOzone", _NO_PARSER, r"^[ \t]*Iozone: Performance Test of File I/O"),
)  # fmt: skip
_PATTERNS = [
    (what, remedy, re.compile(pattern, re.MULTILINE | re.IGNORECASE))
    for what, remedy, pattern in _FORMATS
]
_VDBENCH_PAGE = "vdbench page"
_HEAD_BYTES = 4096
_NO_JSON = "is not JSON, or not all of it: truncated or damaged file"
_RESULT_NAMES = (".json", ".csv", ".log", ".txt")
# Texts and drawings by people: a result in them is a quotation.
_SOURCE = re.compile(
    r"\.(?:adoc|bash|bat|c|cc|cpp|cs|css|cxx|docx|gif|go|h|hpp|html?|ico|ipynb|java|jl|jpe?g|jsx?|kt"
    r"|lua|md|pdf|php|pl|png|pptx|proto|ps1|py|rb|rs|rst|scala|sh|svg|swift|tex|tmpl|tsx?|webp|xlsx"
    r"|zsh)\Z",
    re.IGNORECASE,
)
_PAGE = (".htm", ".html")
_PACKED_OTHERWISE = (".7z", ".rar", ".lz4", ".lzma")
_SUFFIX = re.compile(r"\.[a-z][a-z0-9_+-]{0,11}")


def quotes_results(name: str) -> bool:
    """Whether a result in a file of this name is a quotation, such as a test's."""
    return _SOURCE.search(name) is not None


def refuse_quotations(name: str, data: bytes) -> None:
    """Raises NoResult for quotations and vdbench's other pages; a page may be its result."""
    head = data[:_HEAD_BYTES].decode(errors="replace")
    is_page = name.lower().endswith(_PAGE)
    if is_page and vdbench.is_other_page(head):
        raise NoResult(_VDBENCH_PAGE)
    if quotes_results(name) and not (is_page and vdbench.matches(head)):
        raise NoResult(_kind_of(name))


def refuse(path: Path, data: bytes) -> NoReturn:
    """Classify a file that no parser reads.

    Raises:
        InputError: it looks like a result.
        NoResult: it does not look like a result.
    """
    head = data[:_HEAD_BYTES].decode(errors="replace")
    if vdbench.is_other_page(head):
        raise NoResult(_VDBENCH_PAGE)
    for what, remedy, pattern in _PATTERNS:
        if pattern.search(head):
            raise InputError(path, f"is {what}: {remedy}") if remedy else NoResult(what)
    if damage := _damage(path.name.lower(), data):
        raise InputError(path, damage)
    raise NoResult(_kind_of(path.name))


def _damage(name: str, data: bytes) -> str | None:
    """The damage of a file with the name of a result."""
    if is_log_name(name):
        return "has the name of a fio log and not its first line: damaged file"
    if name.endswith(_PACKED_OTHERWISE):
        return "is packed in a way that is not read: unpack it"
    if not name.endswith(_RESULT_NAMES):
        return None
    if not data[:_HEAD_BYTES].strip():
        return "is empty"
    if b"\0" in data[:_HEAD_BYTES]:
        return "is not text: damaged file"
    return _NO_JSON if name.endswith(".json") and not _is_json(data) else None


def _is_json(data: bytes) -> bool:
    """Whether it is whole JSON; no value is kept."""
    try:
        msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return "trailing characters" in str(error)  # one document per line
    return True


def _kind_of(name: str) -> str:
    """The kind of a file that is no result, by its name."""
    suffix = Path(name).suffix.lower()
    if not suffix:
        return "no suffix"
    return suffix if _SUFFIX.fullmatch(suffix) else "another suffix"
