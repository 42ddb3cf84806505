"""The checks: plausibility rules for results, each an SQL file.

`checks/<schema>.<table>/<name>.sql` selects the rows of the table that break a rule. Its first
comment is the rule, its second the severity; `$section_key` is a bound of `bounds.toml`, or of
`dbt_project.yml` if models use it, too. A check of a table in `raw` selects `file_id`; the path of
the file is added here.

Parsers check shapes and types, dbt checks keys, relations and contracts. `critical` checks find
faults of the warehouse, which no file can cause, and hold the publication back. `warning` checks
find results that contradict themselves, the fault of a tool or a file. See docs/checks.md.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import polars as pl

from expectations import BOUNDS

_FOLDER = Path(__file__).parent / "checks"
_BEYOND_RESULTS = re.compile(r"\bnow\(\)|\bcurrent_date\b|\bquality\.nightly_runs\b")
_WITH_PATH = (
    "select sources.path as source_path, failing.* from ({}) as failing "
    "inner join raw.sources as sources using (file_id) where sources.is_current"
)
_HEADER = re.compile(r"-- (.+)\n-- severity: (critical|warning)\n")
CHECK_RESULTS: dict[str, pl.DataType] = {
    "check_id": pl.String(),
    "table_name": pl.String(),
    "description": pl.String(),
    "severity": pl.String(),
    "is_passed": pl.Boolean(),
    "observed": pl.String(),
    "failing_row_count": pl.Int64(),
    "sample_rows": pl.String(),
    "bound": pl.String(),
    "checked_at": pl.Datetime("us"),
}


@dataclass(frozen=True)
class Check:
    """A rule, and the query that selects the rows that break it."""

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
        """Whether its result depends on the date or the nights, too."""
        return bool(_BEYOND_RESULTS.search(self.failing_rows))


def checks() -> list[Check]:
    """All checks by table and name; raises ValueError for a malformed file."""
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
    failing_rows = re.sub(r"\$(\w+)", lambda found: f"{bounds[found[1]][1]}", text)
    if path.parent.name.startswith("raw.") and path.parent.name != "raw.files":
        failing_rows = _WITH_PATH.format(failing_rows)
    return Check(
        table=path.parent.name,
        name=path.stem,
        description=header[1],
        severity=cast(Literal["critical", "warning"], header[2]),
        failing_rows=failing_rows,
        bound=", ".join("{} = {:g}".format(*bounds[name]) for name in used) or None,
    )
