"""What can be wrong with an input, said so that a person can mend it."""

from pathlib import Path
from typing import Any

from ingest.names import printable


class InputError(Exception):
    """An input that cannot be read: names the file, the line where there is one, and the remedy."""

    def __init__(self, path: Path | str, reason: str, line: int | None = None) -> None:
        self.path = str(path)
        self.line = line
        self.reason = reason
        place = f"{printable(path)}:{line}" if line else printable(path)
        super().__init__(f"{place}: {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return InputError, (self.path, self.reason, self.line)
