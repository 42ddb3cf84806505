"""How boards show columns: the column dictionary, and the rules for other columns."""

from pathlib import Path

import duckdb
import pytest

from dashboards.columns import DICTIONARY, Look, dictionary, look_of
from tests.conftest import Ask


def test_every_look_names_an_existing_column(warehouse: Path, ask: Ask) -> None:
    columns = "select column_name from duckdb_columns() where schema_name in ('marts', 'quality')"
    with duckdb.connect(warehouse / "nights.duckdb", read_only=True) as nights:
        rows = [*ask(columns), *nights.execute(columns).fetchall()]
    assert set(dictionary()) - {name for (name,) in rows} == set()


def test_every_comment_of_the_dictionary_is_read() -> None:
    assert DICTIONARY.read_text().count("{#") == len(dictionary()) > 90


def test_dbt_leaves_looks_out_of_descriptions(ask: Ask) -> None:
    ((described, with_look),) = ask(
        "select count(comment), count(*) filter (comment like '%{#%' or comment like '%width:%') "
        "from duckdb_columns() where schema_name = 'marts'"
    )
    assert described > 300
    assert with_look == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{% docs iops %} {# headnig: a #}", "headnig"),
        ("{% docs iops %} {# width: wide #}", "Expected `int"),
        ("{% docs iops %} {# wraps #}", "'wraps'"),
    ],
)
def test_a_faulty_look_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "docs.md"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"docs\.md") as refusal:
        dictionary(path)
    assert fault in str(refusal.value)


@pytest.mark.parametrize(
    ("column", "heading", "unit"),
    [
        ("latency_max_us", "latency max", "µs"),
        ("is_approximate", "approximate", "none"),
        ("attained_iops", "attained IOPS", "si:IOPS"),
        ("requested_outstanding_io_count", "requested outstanding I/Os", "none"),
        ("measured_ratio", "measured ratio", "percentunit"),
        ("upgrade_ratio", "upgrade ratio", "suffix: ×"),
        ("design_label", "controller, RAID level, drive", "none"),
        ("derived_ratio", "data's ratio", "suffix: ×"),
    ],
)
def test_look_overrides_the_suffix_rule(column: str, heading: str, unit: str) -> None:
    look = look_of(column, column)
    assert (look.heading, look.unit) == (heading, unit)


def test_renamed_column_keeps_its_unit() -> None:
    look = look_of("theoretical", "lane_theoretical_bytes_per_second")
    assert (look.heading, look.unit) == ("theoretical", "Bps")


def test_no_look_repeats_the_rule() -> None:
    for column, given in dictionary().items():
        rule = look_of(column, column, Look())
        assert given.heading != rule.heading, column
        assert given.unit != rule.unit, column
