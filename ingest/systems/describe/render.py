"""Facts as the text of a sidecar: a value with its source, or a comment that leaves it open."""

import math
from pathlib import Path

import yaml

from ingest.systems.describe.facts import Subject
from ingest.systems.describe.ranking import DEFINED, Ranked, said, subject_of
from ingest.systems.sidecar.fields import ArrayFields


def render(folder: Path, remarks: list[str], ranked: Ranked) -> str:
    """The sidecar's text.

    Args:
        folder: the results.
        remarks: lines for its head.
        ranked: facts by who knows best; a field is whose first says it.
    """
    head = f"Draft of a headroom.yml for {folder}, by `headroom describe`: check every line."
    lines = [f"# {_one_line(line)}" for line in (head, *remarks)]
    lines += [_line(subject_of(name), name, ranked) for name in ArrayFields.__struct_fields__]
    for subject, names in DEFINED:
        if said(subject, subject, ranked)[0] is None:
            continue
        lines += ["", f"{subject}s:", "  - " + _line(subject, names[0], ranked)]
        lines += ["    " + _line(subject, name, ranked) for name in names[1:]]
    return "\n".join(lines) + "\n"


def _line(subject: Subject, name: str, ranked: Ranked) -> str:
    value, why = said(subject, name, ranked)
    if value is None:
        return f"# {name}: ?   {_one_line(why)}"
    return f"{name}: {_scalar(value)}   # {_one_line(why)}"


def _scalar(value: str | int) -> str:
    """As YAML reads it back, on one line."""
    style = '"' if len(str(value).splitlines()) > 1 else None
    text: str = yaml.safe_dump(value, default_style=style, allow_unicode=True, width=math.inf)
    return text.removesuffix("...\n").rstrip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
