"""Small texts that anyone may have written, and YAML with the line of each value: read in bounds.

The bounds are far above what a person writes, and low enough that no text takes a second.
"""

import codecs
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LARGEST_MIB = 1
MOST_VALUES = 50_000
LONGEST_TEXT = 10_000
_DEEPEST = 20
Place = tuple[str | int, ...]
"""Where a value stands: ("files", 0, "glob"); () is the whole sidecar."""
_STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


class TextError(Exception):
    """What is wrong with a text, and in which line, if in one."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(frozen=True)
class Document:
    values: Any
    lines: dict[Place, int]


def read_bytes(path: Path, largest_mib: int, remedy: str) -> bytes:
    """The content of a small file; a pipe or a device is not even opened.

    Raises:
        TextError: it is no file, or too large.
    """
    try:
        look = path.stat()
        if not stat.S_ISREG(look.st_mode):
            kind = "folder" if stat.S_ISDIR(look.st_mode) else "pipe, socket or device"
            raise TextError(f"is a {kind}, not a regular file")
        with path.open("rb") as file:
            data = file.read((largest_mib << 20) + 1)
    except OSError as error:
        raise TextError(f"cannot be read: {error.strerror or error}") from error
    if len(data) > largest_mib << 20:
        raise TextError(f"is larger than {largest_mib} MiB: {remedy}")
    return data


def read_text(
    path: Path,
    largest_mib: int = LARGEST_MIB,
    remedy: str = "split it into sidecars in subfolders",
) -> str:
    """The text of a small file.

    Raises:
        TextError: it is no file, too large, or not UTF-8 (UTF-16 is read if it begins as such).
    """
    return decode(read_bytes(path, largest_mib, remedy))


def decode(data: bytes) -> str:
    """The text that the bytes are.

    Raises:
        TextError: not UTF-8, or not UTF-16 where they begin so.
    """
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if is_utf_16 else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TextError("is not UTF-8: save it in that encoding", line) from error


def read_yaml(text: str) -> Document:
    """The values of a text; one without any is an empty mapping.

    Raises:
        TextError: not YAML, out of bounds, or one name twice in one place.
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
        reason = f"is not YAML: {error.problem or error.context}"
        raise TextError(reason, mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise TextError(f"is not YAML: {' '.join(str(error).split())}") from error


def _refuse_out_of_bounds(text: str) -> None:
    """Looks at the text piece by piece: to compose it whole takes the depth as a call stack."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=yaml.CSafeLoader)):
        depth += isinstance(event, _STARTS) - isinstance(event, _ENDS)
        line = event.start_mark.line + 1
        if depth > _DEEPEST:
            raise TextError(f"is nested more than {_DEEPEST} deep", line)
        if count > MOST_VALUES:
            raise TextError(f"has more than {MOST_VALUES} values: split it by subfolder", line)
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST_TEXT:
            raise TextError(f"has a value of more than {LONGEST_TEXT} characters", line)


def _refuse_expanding(node: yaml.Node, counts: dict[int, int]) -> int:
    """How many values a node has once each alias (*name) is what it stands for."""
    if id(node) in counts:
        if not counts[id(node)]:
            raise TextError("has an alias (*name) of its own parent", node.start_mark.line + 1)
        return counts[id(node)]
    counts[id(node)] = 0
    below = [] if isinstance(node, yaml.ScalarNode) else node.value
    inner = [part for pair in below for part in pair] if _is_mapping(node) else below
    count = 1 + sum(_refuse_expanding(part, counts) for part in inner)
    if count > MOST_VALUES:
        reason = f"its aliases (*name) expand to more than {MOST_VALUES} values: write them out"
        raise TextError(reason, node.start_mark.line + 1)
    counts[id(node)] = count
    return count


def _find_lines(node: yaml.Node, place: Place, lines: dict[Place, int]) -> None:
    """The line of each value, counted from 1.

    Raises:
        TextError: a name stands twice in one mapping, of which YAML would take the last.
    """
    lines.setdefault(place, node.start_mark.line + 1)
    if _is_mapping(node):
        for name, value in node.value:
            where, line = (*place, name.value), name.start_mark.line + 1
            if isinstance(name, yaml.ScalarNode) and name.value != "<<":
                if where in lines:
                    said = f"{name.value!r} is given here and in line {lines[where]}"
                    raise TextError(f"{said}: keep one of them", line)
                lines[where] = line
                _find_lines(value, where, lines)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _find_lines(item, (*place, index), lines)


def _is_mapping(node: yaml.Node) -> bool:
    return isinstance(node, yaml.MappingNode)
