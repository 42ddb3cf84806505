"""Reads small texts, and YAML with the line of each value, within bounds.

The bounds are far above what a person writes, and low enough that no text takes a second.
"""

import codecs
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ingest.common.errors import InputError

MOST_VALUES = 50_000
LONGEST_TEXT = 10_000
_DEEPEST = 20
Place = tuple[str | int, ...]
"""Where a value stands: ("files", 0, "glob"); () is the whole text."""
_STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


# Numbers of YAML 1.1 that people do not mean: 010 is 8, and 1:00 is 60.
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_ODD_NUMBER = re.compile(r"[-+]?0[0-9_]+|.*:.*")


class _Refused(yaml.MarkedYAMLError):  # type: ignore[misc]
    """YAML that breaks a rule of ours."""

    def __init__(self, reason: str, mark: Any) -> None:
        super().__init__(problem=reason, problem_mark=mark)


@dataclass(frozen=True)
class Document:
    values: Any
    lines: dict[Place, int]


def read_bytes(path: Path, largest_mib: int, remedy: str) -> bytes:
    """The content of a small file; a pipe or a device is not even opened.

    Raises:
        InputError: no regular file, or too large.
    """
    try:
        look = path.stat()
        if not stat.S_ISREG(look.st_mode):
            kind = "folder" if stat.S_ISDIR(look.st_mode) else "pipe, socket or device"
            raise InputError(path, f"is a {kind}, not a regular file")
        with path.open("rb") as file:
            data = file.read((largest_mib << 20) + 1)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror or error}") from error
    if len(data) > largest_mib << 20:
        raise InputError(path, f"is larger than {largest_mib} MiB: {remedy}")
    return data


def as_utf8(content: bytes) -> bytes:
    """Convert UTF-16, which PowerShell's `>` writes; other contents only lose a byte order mark."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace").encode()
    return content.removeprefix(codecs.BOM_UTF8)


def read_text(path: Path, largest_mib: int, remedy: str) -> str:
    """The text of a small file: UTF-8, or UTF-16 with a byte order mark.

    Raises:
        InputError: no regular file, too large, or in another encoding.
    """
    data = read_bytes(path, largest_mib, remedy)
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(path, "is not UTF-8: save it in that encoding", line) from error


def read_yaml(text: str, path: Path) -> Document:
    """The values of a text; an empty one is an empty mapping.

    Raises:
        InputError: not YAML, out of bounds, or a name given twice.
    """
    try:
        _refuse_out_of_bounds(text)
        loader = yaml.CSafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            return Document({}, {})
        _refuse_expanding(root, {})
        lines: dict[Place, int] = {}
        _find_lines(root, (), lines)
        return Document(loader.construct_document(root), lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        prefix = "" if isinstance(error, _Refused) else "is not YAML: "
        reason = f"{prefix}{error.problem or error.context}"
        raise InputError(path, reason, mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise InputError(path, f"is not YAML: {' '.join(str(error).split())}") from error


def _refuse_out_of_bounds(text: str) -> None:
    """Checks the text event by event: composing it whole recurses once for each level."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=yaml.CSafeLoader)):
        depth += isinstance(event, _STARTS) - isinstance(event, _ENDS)
        if depth > _DEEPEST:
            raise _Refused(f"is nested more than {_DEEPEST} deep", event.start_mark)
        if count > MOST_VALUES:
            reason = f"has more than {MOST_VALUES} values: split it by subfolder"
            raise _Refused(reason, event.start_mark)
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST_TEXT:
            reason = f"has a value of more than {LONGEST_TEXT} characters"
            raise _Refused(reason, event.start_mark)


def _refuse_expanding(node: yaml.Node, counts: dict[int, int]) -> int:
    """The number of values of a node once its aliases (*name) are expanded."""
    if id(node) in counts:
        if not counts[id(node)]:
            raise _Refused("has an alias (*name) of its own parent", node.start_mark)
        return counts[id(node)]
    counts[id(node)] = 0
    below = [] if isinstance(node, yaml.ScalarNode) else node.value
    inner = [part for pair in below for part in pair] if _is_mapping(node) else below
    count = 1 + sum(_refuse_expanding(part, counts) for part in inner)
    if count > MOST_VALUES:
        reason = f"its aliases (*name) expand to more than {MOST_VALUES} values: write them out"
        raise _Refused(reason, node.start_mark)
    counts[id(node)] = count
    return count


def _find_lines(node: yaml.Node, place: Place, lines: dict[Place, int]) -> None:
    """The line of each value, counted from 1.

    Raises:
        _Refused: a mapping has a name twice, of which YAML would take the last, or an odd number.
    """
    if node.tag in _NUMBERS and _ODD_NUMBER.fullmatch(node.value):
        reason = f"{node.value!r} is octal or a time in YAML: drop the first 0, or use quotes"
        raise _Refused(reason, node.start_mark)
    lines.setdefault(place, node.start_mark.line + 1)
    if _is_mapping(node):
        for name, value in node.value:
            where, line = (*place, name.value), name.start_mark.line + 1
            if isinstance(name, yaml.ScalarNode) and name.value != "<<":
                if where in lines:
                    twice = f"{name.value!r} is given here and in line {lines[where]}"
                    raise _Refused(f"{twice}: keep one of them", name.start_mark)
                lines[where] = line
                _find_lines(value, where, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _find_lines(item, (*place, index), lines)


def _is_mapping(node: yaml.Node) -> bool:
    return isinstance(node, yaml.MappingNode)
