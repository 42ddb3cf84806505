"""What Python and SQL say with the same words."""

import re

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import Environment

from ingest.vocabulary import RAID_LEVELS, slug
from tests.conftest import ROOT

DBT = ROOT / "dbt_project"
MACROS = Environment().from_string((DBT / "macros/texts.sql").read_text()).module
SLUG = f"select {MACROS.slug('?')}"  # type: ignore[attr-defined]


@settings(deadline=None)
@given(name=st.text(max_size=20))
def test_a_name_has_one_slug(name: str) -> None:
    assert duckdb.execute(SLUG, [name]).fetchone() == (slug(name),)


def test_contracts_allow_the_raid_levels_of_the_seed() -> None:
    texts = [path.read_text() for path in (DBT / "models").rglob("*.yml")]
    rules = [rule for text in texts for rule in re.findall(r"raid_level in \((.+)\)", text)]
    assert [set(re.findall("'([^']+)'", rule)) for rule in rules] == [{*RAID_LEVELS}] * 2
