"""What a storage engineer would doubt in a result: the checks, a SQL file each.

`checks/<schema>.<table>/<name>.sql` selects the rows of the table that break a rule. Its first
comment says the rule, its second the severity; `$table_name` is a bound: of
`bounds.toml`, or of dbt's `dbt_project.yml` where models go by it, too.

Shape and types belong to the parsers, and so does that a digitised point lies on its figure's axis;
keys, types, relations and ratios of the contracts to dbt. Here is what a source says that cannot
be, or what hardly is. `critical` holds the publication back: a value that is impossible, another
unit, a loss, or nothing at all. `warning` is reported: a result that contradicts itself is its
tool's or its file's fault, and one odd file does not keep a night's results from their readers.
What each means and what to do: docs/checks.md.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from expectations import BOUNDS

_FOLDER = Path(__file__).parent / "checks"
_BEYOND_RESULTS = re.compile(r"\bnow\(\)|\bcurrent_date\b|\bquality\.nightly_runs\b")
_HEADER = re.compile(r"-- (.+)\n-- severity: (critical|warning)\n")


@dataclass(frozen=True)
class Check:
    """A rule: `failing_rows` is the query that selects what breaks it."""

    table: str
    name: str
    description: str
    severity: Literal["critical", "warning"]
    failing_rows: str
    bound: str | None

    @property
    def check_id(self) -> str:
        return f"{self.table}.{self.name}"

    @property
    def looks_beyond_results(self) -> bool:
        """Whether it may find something else though no result has changed: another day or night."""
        return bool(_BEYOND_RESULTS.search(self.failing_rows))


def checks() -> list[Check]:
    """All checks, by table and name.

    Raises:
        ValueError: a file without its two comments, or with a bound that nobody states.
    """
    return [_read(path) for path in sorted(_FOLDER.glob("*/*.sql"))]


def _read(path: Path) -> Check:
    text = path.read_text()
    header = _HEADER.match(text)
    if not header:
        raise ValueError(f"{path}: expected '-- <rule>' and '-- severity: critical | warning'")
    bounds = {
        f"{table}_{name}": (f"{table}.{name}", value)
        for table, values in BOUNDS.items()
        for name, value in values.items()
    }
    used = list(dict.fromkeys(re.findall(r"\$(\w+)", text)))
    if unknown := [name for name in used if name not in bounds]:
        raise ValueError(
            f"{path}: neither bounds.toml nor dbt_project.yml has {', '.join(unknown)}"
        )
    return Check(
        table=path.parent.name,
        name=path.stem,
        description=header[1],
        severity=cast(Literal["critical", "warning"], header[2]),
        failing_rows=re.sub(r"\$(\w+)", lambda found: f"{bounds[found[1]][1]}", text),
        bound=", ".join("{} = {:g}".format(*bounds[name]) for name in used) or None,
    )
