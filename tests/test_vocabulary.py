"""Words and rules that Python and SQL share."""

import csv
import math
import re

import duckdb
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from ingest.common.vocabulary import RAID_LEVELS, VERDICT_RULES, slug
from tests.conftest import ROOT

DBT = ROOT / "dbt_project"
MACROS = Environment().from_string((DBT / "macros/texts.sql").read_text()).module
SLUG = f"select {MACROS.slug('?')}"  # type: ignore[attr-defined]


@given(name=st.text(max_size=20))
def test_python_and_sql_make_the_same_slug(name: str) -> None:
    assert duckdb.execute(SLUG, [name]).fetchone() == (slug(name),)


def test_encoding_ratio_follows_from_its_name() -> None:
    """'256b/257b and RS(544,514)' is two encodings, one after the other."""
    coded = r"RS\((?P<all>\d+),(?P<data>\d+)\)|(?P<of>\d+)[bB]/(?P<line>\d+)[bB]"
    with (DBT / "seeds/interfaces.csv").open() as file:
        for row in csv.DictReader(file):
            parts = list(re.finditer(coded, row["encoding"]))
            left = math.prod(
                int(part["data"] or part["of"]) / int(part["all"] or part["line"]) for part in parts
            )
            assert parts, row["interface"]
            assert math.isclose(float(row["encoding_ratio"]), left, rel_tol=1e-9), row["interface"]


def test_contracts_allow_the_raid_levels_of_the_seed() -> None:
    texts = [path.read_text() for path in (DBT / "models").rglob("*.yml")]
    rules = [rule for text in texts for rule in re.findall(r"raid_level in \((.+)\)", text)]
    assert [set(re.findall("'([^']+)'", rule)) for rule in rules] == [{*RAID_LEVELS}] * 2


def test_every_verdict_word_has_a_rank() -> None:
    """A run's verdict is the first of `words` that applies."""
    model = (DBT / "models/marts/rpt_run_verdicts.sql").read_text()
    words = re.findall("'([^']+)'", model.partition("set words = [")[2].partition("]")[0])
    with (DBT / "seeds/dim_verdict_rules.csv").open() as file:
        rules = [*csv.DictReader(file)]
    assert {row["verdict_word"] for row in rules if row["verdict_word"]} == {*words}
    assert [row["rule"] for row in rules] == [*VERDICT_RULES]


def test_insufficient_data_has_one_name() -> None:
    """'insufficient data', as in marts.fct_claims."""
    folders = ("dashboards/boards", "dbt_project", "docs", "headroom")
    paths = [
        path
        for folder in folders
        for kind in ("md", "py", "sql", "yml")
        for path in (ROOT / folder).rglob(f"*.{kind}")
    ]
    assert len(paths) > 300
    other = re.compile(r"\bno verdict|without a verdict|undecided|not[_ ]decided", re.IGNORECASE)
    assert [path for path in paths if other.search(path.read_text())] == []
