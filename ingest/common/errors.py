"""Errors of inputs, with place, reason and remedy."""

import re
from pathlib import Path
from typing import Any

from ingest.common.paths import printable

_LONGEST_QUOTE = 80
_LONGEST = 2000
_QUOTED = re.compile(r"""(?<![^\s(\[=:])(['"])(?=\S)((?:(?!\1).){81,}?)(?:\1|\Z)""", re.DOTALL)


def _shortened(reason: str) -> str:
    """A reason whose quotations of a file are cut short."""
    if len(reason) <= _LONGEST_QUOTE:
        return reason
    found = _QUOTED.sub(
        lambda quote: f"{quote[1]}{quote[2][:_LONGEST_QUOTE]}...{quote[1]}", reason[: 10 * _LONGEST]
    )
    return found if len(found) <= _LONGEST else f"{found[:_LONGEST]}..."


class InputError(Exception):
    """An unreadable input, with its file, line if known, and the remedy."""

    def __init__(self, path: Path | str, reason: str, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        self.reason = reason = _shortened(reason)
        self.place = f"{printable(path)}:{line}" if line else printable(path)
        super().__init__(f"{self.place}: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return InputError, (self.path, self.reason, self.line)


class PackageError(Exception):
    """An installed package's parser is unusable: without it, its results would count as unknown."""


class NoResult(Exception):
    """A file that is no result; `kind` names its kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)
