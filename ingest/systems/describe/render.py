"""Facts as the text of a sidecar: a value with its source, or a comment that leaves it open."""

import math
from pathlib import Path

import yaml

from ingest.systems.describe.facts import Fact, Subject
from ingest.systems.sidecar.catalog import ControllerDefinition, DriveDefinition
from ingest.systems.sidecar.fields import ArrayFields

_SUBJECTS: tuple[tuple[Subject, tuple[str, ...]], ...] = (
    ("controller", ControllerDefinition.__struct_fields__),
    ("drive", DriveDefinition.__struct_fields__),
)


def render(folder: Path, remarks: list[str], ranked: list[list[Fact]]) -> str:
    """The sidecar's text.

    Args:
        folder: the results.
        remarks: lines for its head.
        ranked: facts by who knows best; a field is whose first says it.
    """
    head = f"A first headroom.yml for {folder}, by `headroom describe`: check every line."
    lines = [f"# {_one_line(line)}" for line in (head, *remarks)]
    lines += [_line(_subject(name), name, ranked) for name in ArrayFields.__struct_fields__]
    for subject, names in _SUBJECTS:
        if _said(subject, subject, ranked)[0] is None:
            continue
        lines += ["", f"{subject}s:", "  - " + _line(subject, names[0], ranked)]
        lines += ["    " + _line(subject, name, ranked) for name in names[1:]]
    return "\n".join(lines) + "\n"


def _subject(name: str) -> Subject:
    """Whose field it is: the sidecar's `vendor` is the controller's."""
    return next((subject for subject, names in _SUBJECTS if name in names), "array")


def _line(subject: Subject, name: str, ranked: list[list[Fact]]) -> str:
    value, why = _said(subject, name, ranked)
    if value is None:
        return f"# {name}: ?   {_one_line(why)}"
    return f"{name}: {_scalar(value)}   # {_one_line(why)}"


def _said(subject: Subject, name: str, ranked: list[list[Fact]]) -> tuple[str | int | None, str]:
    """The value and its source; or None, and why it is left open."""
    about = [[fact for fact in facts if (fact.subject, fact.field) == (subject, name)]
             for facts in ranked]  # fmt: skip
    for facts in about:
        sources = {fact.value: fact.source for fact in facts if fact.value is not None}
        if len(sources) == 1:
            return next(iter(sources.items()))
        if sources:
            said = "; ".join(f"{value} ({source})" for value, source in sources.items())
            return None, f"several are named: {said}"
    remarks = dict.fromkeys(fact.source for facts in about for fact in facts)
    return None, "; ".join(remarks) or "not said by any of the inputs"


def _scalar(value: str | int) -> str:
    """As YAML reads it back, on one line."""
    style = '"' if len(str(value).splitlines()) > 1 else None
    text: str = yaml.safe_dump(value, default_style=style, allow_unicode=True, width=math.inf)
    return text.removesuffix("...\n").rstrip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
