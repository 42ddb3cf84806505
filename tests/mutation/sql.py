"""Small mutations of SQL, outside of strings and comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_UNCHANGED = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\"[^\"]*\"|/\*.*?\*/|{#.*?#}", re.DOTALL)
_CHANGES = (
    (r"(?<=\s)=(?=\s)", "!="), (r"!=|<>", "="), (r"(?<=\s)>=?(?=\s)", "<"),
    (r"(?<=\s)<=?(?=\s)", ">"), (r"\band\b", "or"), (r"\bor\b", "and"),
    (r"\bis not null\b", "is null"), (r"\bis null\b", "is not null"), (r"\bnot (?!null\b)", ""),
    (r"(?<=\s)\*(?=\s)", "/"), (r"(?<=\s)/(?=\s)", "*"), (r"(?<=\s)\+(?=\s)", "-"),
    (r"(?<=\s)-(?=\s)", "+"), (r"\bmin\(", "max("), (r"\bmax\(", "min("),
    (r"\bcoalesce\(", "nullif("), (r"\bleft join\b", "inner join"),
    (r"(?<![\w.$])\d+(?:\.\d+)?(?![\w.])", "777"),
)  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A replacement at the n-th of the places where a pattern matches."""

    pattern: str
    becomes: str
    index: int
    count: int

    def apply(self, query: str) -> str | None:
        """The changed query; None if the pattern matches at another number of places."""
        places = list(_places(self.pattern, query))
        if len(places) != self.count:
            return None
        start, end = places[self.index].span()
        return query[:start] + self.becomes + query[end:]

    def line_number(self, query: str) -> int:
        at = list(_places(self.pattern, query))[self.index].start()
        return query.count("\n", 0, at) + 1

    def line(self, query: str) -> str:
        """The line that it changes."""
        return query.split("\n")[self.line_number(query) - 1].strip()

    def told(self, query: str) -> str:
        return f"{self.line(query)}  -- {self.pattern} -> {self.becomes!r}"


def _places(pattern: str, query: str) -> Iterator[re.Match[str]]:
    blank = _UNCHANGED.sub(lambda found: "_" * len(found[0]), query)
    return re.finditer(pattern, blank)


def changes(query: str) -> list[Change]:
    return [
        Change(pattern, becomes, index, count)
        for pattern, becomes in _CHANGES
        for count in [sum(1 for _ in _places(pattern, query))]
        for index in range(count)
    ]
