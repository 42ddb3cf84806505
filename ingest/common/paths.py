r"""File names as text: a name is bytes, which need not be valid UTF-8.

`\xff` stands for a byte that is not UTF-8, `\x0a` for a newline or another control character; a
backslash before such a code is `\x5c`, so the form is unambiguous. Any other name, with quotes,
blanks or emoji, stays unchanged. The warehouse and messages use this form; paths use Python's own,
whose surrogates neither DuckDB nor a terminal accepts.
"""

import os
import re
from pathlib import Path

_CODE = "x[0-9a-f]{2}"
_NO_TEXT = re.compile(rf"[\x00-\x1f\x7f-\x9f\udc80-\udcff]|\\(?={_CODE})")
_WRITTEN = re.compile(rf"(?:\\{_CODE})+")


def printable(path: Path | str) -> str:
    """A path as the warehouse stores it; `real_path` is the inverse."""
    text = str(path)
    if text.isascii() and text.isprintable() and "\\x" not in text:
        return text
    return _NO_TEXT.sub(lambda one: "".join(f"\\x{b:02x}" for b in os.fsencode(one[0])), text)


def real_path(text: str) -> str:
    """The path whose printable form is `text`."""
    return _WRITTEN.sub(lambda codes: os.fsdecode(bytes.fromhex(codes[0].replace("\\x", ""))), text)


def quoted(path: Path) -> str:
    """A path as an SQL string literal."""
    return "'{}'".format(str(path).replace("'", "''"))
