"""Grafana's provisioning: read-only data sources, boards, and alert rules that can fire."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import duckdb
import pytest
import yaml

from dashboards.marts import NIGHTS, WAREHOUSE
from tests.conftest import ROOT, is_query, refusal
from tests.in_process import run

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
# DuckDB allows these, and others see their effect: only deploy/'s data source refuses them.
FORGING = [
    "attach ':memory:' as marts (read_only false)",
    "create or replace temp macro max(x) as 42",
    "create temp table measurements (iops double)",
    "begin",
    "use temp",
    "select 1; create temp table mine (x int)",
    "call enable_logging(storage = 'file', storage_path = '{folder}')",
    "from enable_logging('FileSystem')",
    "select * from (from Truncate_DuckDB_Logs())",
    "from query('from enable_logging()')",
    "with shown as (from json_execute_serialized_sql('[]')) from shown",
]


@pytest.fixture(scope="module", params=SOURCES, ids=lambda source: source["uid"])
def as_grafana_opens_it(
    request: pytest.FixtureRequest, warehouse: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A copy of the file, opened with the plugin's options from the data source's path."""
    path = urlsplit(request.param["jsonData"]["path"])
    options = dict(parse_qsl(path.query))
    assert options.pop("access_mode") == "READ_ONLY"
    name = path.path.removeprefix("$HEADROOM_WAREHOUSE/")
    copy = shutil.copy(warehouse / name, tmp_path_factory.mktemp("grafana"))
    with duckdb.connect(copy, read_only=True, config=options) as connection:
        yield connection


@pytest.mark.parametrize("sql", HOSTILE)
def test_a_viewer_can_only_read(
    as_grafana_opens_it: duckdb.DuckDBPyConnection, sql: str, tmp_path: Path
) -> None:
    with pytest.raises(duckdb.Error):
        as_grafana_opens_it.execute(sql.format(folder=tmp_path)).fetchall()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("sql", [*FORGING, *(sql for sql in HOSTILE if ".parquet" not in sql)])
def test_statements_other_than_queries_are_refused(sql: str) -> None:
    assert not is_query(sql)


def test_alert_rules_are_queries() -> None:
    for rule in RULES:
        assert is_query(rule["data"][0]["model"]["rawSql"])


def test_panels_use_provisioned_data_sources() -> None:
    assert {source["uid"] for source in SOURCES} == {WAREHOUSE.uid, NIGHTS.uid}
    assert {source["type"] for source in SOURCES} == {WAREHOUSE.type_val}


def test_alerts_go_to_webhook_from_environment() -> None:
    contact = yaml.safe_load((PROVISIONING / "alerting/contact.yml").read_text())
    (point,) = contact["contactPoints"]
    (policy,) = contact["policies"]
    (receiver,) = point["receivers"]
    assert policy["receiver"] == point["name"]
    assert receiver["settings"]["url"] == "${HEADROOM_ALERT_WEBHOOK_URL}"


ALARMS = {
    "headroom-nightly-late": (
        "update quality.nightly_runs set ended_at = ended_at - interval 37 hours"
    ),
    "headroom-critical-check": "update quality.check_results set is_passed = false",
    "headroom-regression": "insert into quality.change_points (is_regression, is_recent) "
    "values (true, true)",
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["uid"])
def test_an_alert_rule_fires_when_it_should(
    rule: dict[str, Any], warehouse: Path, tmp_path: Path
) -> None:
    question, threshold = rule["data"]
    assert question["datasourceUid"] == NIGHTS.uid
    (condition,) = threshold["model"]["conditions"]
    (limit,) = condition["evaluator"]["params"]

    def number() -> float:
        ((answer,),) = connection.execute(question["model"]["rawSql"]).fetchall()
        return float(answer)

    with duckdb.connect(shutil.copy(warehouse / "nights.duckdb", tmp_path)) as connection:
        connection.execute("update quality.nightly_runs set ended_at = now() at time zone 'UTC'")
        connection.execute("insert into quality.nightly_runs (ended_at) values ('2099-01-01')")
        assert number() <= limit
        connection.execute(ALARMS[rule["uid"]])
        assert number() > limit


@pytest.fixture
def own(warehouse: Path, tmp_path: Path) -> Path:
    """The output of `headroom boards` for a Grafana whose data source has the UID `lab`."""
    folder = tmp_path / "grafana $1"
    result = run(warehouse, "boards", folder, "--datasource-uid", "lab")
    assert result.exit_code == 0
    assert str(folder / "provisioning") in result.stdout
    return folder


def test_own_boards_use_the_given_data_source_uid(own: Path) -> None:
    generated = sorted((ROOT / "dashboards/generated").iterdir())
    assert [board.name for board in sorted((own / "boards").iterdir())] == [
        board.name for board in generated
    ]
    for board in generated:
        expected = board.read_text()
        for uid in (WAREHOUSE.uid, NIGHTS.uid):
            expected = expected.replace(
                f'"uid": "{uid}"', f'"uid": "{uid}"'.replace("headroom", "lab")
            )
        assert json.loads((own / "boards" / board.name).read_text()) == json.loads(expected)


def test_own_data_sources_open_the_warehouse_and_leave_others_alone(
    own: Path, warehouse: Path
) -> None:
    settings = yaml.safe_load((own / "provisioning/datasources/headroom.yml").read_text())
    assert [source["uid"] for source in settings["datasources"]] == ["lab", "lab-nights"]
    for source, template in zip(settings["datasources"], SOURCES, strict=True):
        path, options = source["jsonData"]["path"].split("?")
        assert Path(path).parent == warehouse.resolve()
        assert Path(path).exists()
        assert options == template["jsonData"]["path"].split("?")[1]
        assert "isDefault" not in source
    assert "prune" not in settings
    (provider,) = yaml.safe_load((own / "provisioning/dashboards/headroom.yml").read_text())[
        "providers"
    ]
    # Grafana reads a dollar sign as the start of a variable.
    assert provider["options"]["path"] == str(own / "boards").replace("$", "$$")


def test_rewriting_boards_removes_only_outdated_ones(own: Path, warehouse: Path) -> None:
    gone = own / "boards/headroom-of-an-older-version.json"
    gone.write_text("{}")
    theirs = own / "boards/theirs.json"
    theirs.write_text("{}")
    assert run(warehouse, "boards", own).exit_code == 0
    assert not gone.exists()
    assert theirs.exists()
    assert '"uid": "headroom"' in (own / "boards/headroom-run.json").read_text()


def test_own_boards_need_a_warehouse(tmp_path: Path) -> None:
    assert "nothing published yet" in refusal(
        run(tmp_path / "none", "boards", tmp_path / "grafana")
    )
    assert not (tmp_path / "grafana").exists()
