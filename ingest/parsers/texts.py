"""Texts as parsers find them: in an unknown encoding, and of several parts."""

import re
from collections.abc import Iterator


def decoded(data: bytes) -> str:
    """UTF-8, or an older host's Windows code page."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def pieces(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str], str]]:
    """Each match, with its line from 1 and the text from there to the next match."""
    found = [*pattern.finditer(text)]
    ends = [*(match.start() for match in found[1:]), len(text)]
    line, counted_to = 1, 0
    for match, end in zip(found, ends, strict=False):
        line += text.count("\n", counted_to, match.start())
        counted_to = match.start()
        yield line, match, text[match.end() : end]
