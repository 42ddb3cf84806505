"""What Grafana is given: data sources that can only read, boards, and alert rules that can fire."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import duckdb
import pytest
import yaml

from dashboards.panels import QUALITY, WAREHOUSE

PROVISIONING = Path(__file__).parents[1] / "dashboards/provisioning"
SOURCES = yaml.safe_load((PROVISIONING / "datasources/headroom.yml").read_text())["datasources"]
RULES = yaml.safe_load((PROVISIONING / "alerting/rules.yml").read_text())["groups"][0]["rules"]
HOSTILE = [
    "create table marts.mine (x int)",
    "drop table marts.measurements",
    "insert into quality.quarantined_files select * from quality.quarantined_files",
    "update marts.measurements set iops = 0",
    "copy marts.measurements to '{folder}/stolen.csv'",
    "export database '{folder}/stolen'",
    "select * from read_text('/etc/hostname')",
    "select * from read_csv('/etc/passwd')",
    "select * from glob('/etc/*')",
    "select * from '{folder}/other.parquet'",
    "attach '{folder}/other.duckdb'",
    "attach ':memory:' as other",
    "install httpfs",
    "load '{folder}/evil.duckdb_extension'",
    "set enable_external_access = true",
    "set access_mode = 'READ_WRITE'",
    "set allow_unsigned_extensions = true",
    "set temp_directory = '{folder}'",
    "set memory_limit = '1TB'",
    "set lock_configuration = false",
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source["uid"])
@pytest.mark.parametrize("sql", HOSTILE)
def test_a_viewer_can_only_read(
    source: dict[str, dict[str, str]], sql: str, warehouse: Path, tmp_path: Path
) -> None:
    """With the options that the data source opens the file with, which the plugin hands on."""
    path = urlsplit(source["jsonData"]["path"].replace("$HEADROOM_WAREHOUSE", str(warehouse)))
    options = dict(parse_qsl(path.query))
    assert options.pop("access_mode") == "READ_ONLY"
    with (
        duckdb.connect(path.path, read_only=True, config=options) as connection,
        pytest.raises(duckdb.Error),
    ):
        connection.execute(sql.format(folder=tmp_path)).fetchall()
    assert not list(tmp_path.iterdir())


def test_panels_use_the_data_sources_that_there_are() -> None:
    assert {source["uid"] for source in SOURCES} == {WAREHOUSE.uid, QUALITY.uid}
    assert {source["type"] for source in SOURCES} == {WAREHOUSE.type_val}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["uid"])
def test_an_alert_rule_asks_for_one_number(rule: dict[str, list], warehouse: Path) -> None:
    question, threshold = rule["data"]
    assert question["datasourceUid"] == QUALITY.uid
    with duckdb.connect(warehouse / "quality.duckdb", read_only=True) as connection:
        ((number,),) = connection.execute(question["model"]["rawSql"]).fetchall()
    (condition,) = threshold["model"]["conditions"]
    assert number <= condition["evaluator"]["params"][0], "a fresh warehouse gives no alarm"
