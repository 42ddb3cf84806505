"""What can be wrong with an input, said so that a person can mend it."""

import re
from pathlib import Path
from typing import Any

from ingest.names import printable

_LONGEST_QUOTE = 80
_LONGEST = 2000
_QUOTED = re.compile(r"""(?<![^\s(\[=:])(['"])(?=\S)((?:(?!\1).){81,}?)(?:\1|\Z)""", re.DOTALL)


def _shortened(reason: str) -> str:
    """A reason with no more than the beginning of what it quotes of a file."""
    if len(reason) <= _LONGEST_QUOTE:
        return reason
    found = _QUOTED.sub(
        lambda quote: f"{quote[1]}{quote[2][:_LONGEST_QUOTE]}...{quote[1]}", reason[: 10 * _LONGEST]
    )
    return found if len(found) <= _LONGEST else f"{found[:_LONGEST]}..."


class InputError(Exception):
    """An input that cannot be read: names the file, the line where there is one, and the remedy."""

    def __init__(self, path: Path | str, reason: str, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        self.reason = reason = _shortened(reason)
        self.place = f"{printable(path)}:{line}" if line else printable(path)
        super().__init__(f"{self.place}: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return InputError, (self.path, self.reason, self.line)


class NoResult(Exception):
    """A file that nobody would take for a result: `kind` is what it is."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind)
