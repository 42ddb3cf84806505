"""When a release is published, what a failed publication leaves, and Grafana's reload."""

import base64
import hashlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import duckdb
import pytest

from headroom.checksums import SUMS, keep_sums, read_sums
from headroom.release.history import Night, begin_night, prepare_history
from headroom.release.publish import publish, publish_nights, reload_grafana
from headroom.release.releases import point, prune, release_nights, release_warehouse, releases_of
from headroom.release.stage import Stage, set_stage
from headroom.warehouse import ChecksFailed, Warehouse, WarehouseError

ASKED: list[tuple[str, str, str]] = []


class _Grafana(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        login = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
        ASKED.append((self.command, self.path, login))
        self.send_response(200 if login == "admin:secret" else 401)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing to stderr."""


@pytest.fixture
def grafana(monkeypatch: pytest.MonkeyPatch) -> str:
    server = HTTPServer(("127.0.0.1", 0), _Grafana)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("GRAFANA_URL", url + "/")
    monkeypatch.setenv("GRAFANA_PASSWORD", "secret")
    ASKED.clear()
    return url


def test_grafana_reloads_its_data_sources(grafana: str) -> None:
    assert reload_grafana() == f"{grafana}/: reloaded (200)"
    assert ASKED == [("POST", "/api/admin/provisioning/datasources/reload", "admin:secret")]


def test_failed_grafana_reload_is_reported(grafana: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFANA_PASSWORD", "wrong")
    told = reload_grafana()
    assert told is not None
    assert told.startswith(f"{grafana}/: NOT reloaded")
    assert "401" in told
    assert "wrong" not in told


def test_nothing_is_reloaded_without_grafana(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAFANA_URL", raising=False)
    assert reload_grafana() is None


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """A warehouse that is built and checked, without results."""
    warehouse = Warehouse(tmp_path / "warehouse")
    warehouse.folder.mkdir()
    with warehouse.open_building(must_exist=False) as connection:
        for schema in ("raw", "marts", "built", "staging", "intermediate", "standards"):
            connection.execute(f"create schema {schema}; create table {schema}.t as select 1 as a")
        connection.execute("create schema quality")
        prepare_history(connection)
        set_stage(connection, "checked")
    return warehouse


def _check_found(warehouse: Warehouse, *rows: tuple[str, str, bool, bool]) -> None:
    with warehouse.open_building() as connection:
        for row in rows:
            connection.execute(
                "insert into quality.check_results (check_id, severity, is_passed, is_latest, "
                "run_id) values (?, ?, ?, ?, 'a night')", row,
            )  # fmt: skip


def _tables(link: Path) -> dict[str, set[str]]:
    """The tables of each schema."""
    with duckdb.connect(link.resolve(), read_only=True) as connection:
        query = "select schema_name, table_name from duckdb_tables()"
        found: dict[str, set[str]] = {}
        for schema, table in connection.execute(query).fetchall():
            found.setdefault(schema, set()).add(table)
        return found


def _files(warehouse: Warehouse) -> list[str]:
    return sorted(path.name for path in warehouse.releases.iterdir())


@pytest.mark.parametrize(
    ("stage", "reason"),
    [
        ("ingested", "not built since the last ingest; run: headroom build"),
        ("built", "not checked since it was built; run: headroom check"),
    ],
)
def test_only_a_checked_build_is_published(warehouse: Warehouse, stage: Stage, reason: str) -> None:
    with warehouse.open_building() as connection:
        set_stage(connection, stage)
    with pytest.raises(WarehouseError) as refused:
        publish(warehouse)
    assert str(refused.value) == reason
    assert not warehouse.published.exists()


def test_failed_critical_check_blocks_publishing(warehouse: Warehouse) -> None:
    _check_found(
        warehouse,
        ("a.warning", "warning", False, True),
        ("a.passed", "critical", True, True),
        ("a.earlier", "critical", False, False),
    )
    first = publish(warehouse)
    _check_found(
        warehouse, ("a.first", "critical", False, True), ("a.second", "critical", False, True)
    )
    with pytest.raises(ChecksFailed) as refused:
        publish(warehouse)
    assert "nothing published: a.first, a.second" in str(refused.value)
    assert _files(warehouse) == [SUMS, first]
    assert warehouse.published.resolve().name == first


def test_release_records_its_night_as_published(warehouse: Warehouse) -> None:
    night = Night()
    with warehouse.open_building() as connection:
        begin_night(connection, night)
    name = publish(warehouse, night)
    query = "select run_id, status, release, ended_at >= started_at from quality.nightly_runs"
    with duckdb.connect(warehouse.published.resolve(), read_only=True) as release:
        assert release.execute(query).fetchall() == [(night.run_id, "published", name, True)]
    with warehouse.open_building() as connection:
        # the night records its own outcome there
        assert connection.execute("select status from quality.nightly_runs").fetchall() == [
            ("running",)
        ]
        assert connection.execute("select name from built.release").fetchall() == [(name,)]


def test_nights_are_published_despite_failed_checks_and_pruned(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRAFANA_URL", raising=False)
    _check_found(warehouse, ("a.first", "critical", False, True))
    for _ in range(6):
        publish_nights(warehouse)
    assert len(releases_of(warehouse, warehouse.nights)) == 5
    assert _tables(warehouse.nights).keys() == {"quality"}
    with duckdb.connect(warehouse.nights.resolve(), read_only=True) as nights:
        query = "select check_id from quality.check_results"
        assert nights.execute(query).fetchall() == [("a.first",)]


def test_release_omits_private_schemas_and_survives_a_move(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    before = _tables(warehouse.building)
    name = publish(warehouse)
    assert _tables(warehouse.published).keys() == {"raw", "marts", "quality"}
    assert before.keys() - _tables(warehouse.building).keys() == set()
    moved = Warehouse(warehouse.folder.rename(tmp_path / "moved"))
    assert moved.published.resolve() == moved.releases / name
    assert moved.published.stat().st_mode & 0o777 == 0o444
    digest = hashlib.sha256(moved.published.read_bytes()).hexdigest()
    assert (moved.releases / SUMS).read_text() == f"{digest}  {name}\n"


@pytest.mark.parametrize(("schema", "is_smaller"), [("staging", True), ("marts", False)])
def test_release_with_much_free_space_is_compacted(
    warehouse: Warehouse, schema: str, is_smaller: bool
) -> None:
    with warehouse.open_building() as connection:
        connection.execute(
            f"create table {schema}.large as select hash(n) as a from range(1000000) as r (n)"
        )
    publish(warehouse)
    sizes = [path.stat().st_size for path in (warehouse.published, warehouse.building)]
    assert (sizes[0] < sizes[1] / 2) == is_smaller
    with duckdb.connect(warehouse.published.resolve(), read_only=True) as release:
        assert release.execute("select a from marts.t").fetchall() == [(1,)]
    assert _files(warehouse) == [SUMS, warehouse.published.resolve().name]


def test_failed_release_keeps_the_published_one(warehouse: Warehouse) -> None:
    first = publish(warehouse)
    (warehouse.releases / "next.partial.wal").touch()  # left by a killed run

    def fail(_: duckdb.DuckDBPyConnection) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        release_warehouse(warehouse, "headroom-z.duckdb", fail)
    assert _files(warehouse) == [SUMS, first]
    assert warehouse.published.resolve().name == first


def test_leftovers_of_a_killed_run_do_no_harm(warehouse: Warehouse) -> None:
    warehouse.releases.mkdir()
    for name in ("next.partial", "next.partial.wal", "compact.partial", "nights-a.partial"):
        (warehouse.releases / name).write_text("no database")
    (warehouse.folder / ".nights.duckdb.new").symlink_to("nowhere")
    release_nights(warehouse, "nights-a.duckdb")
    release_warehouse(warehouse, "headroom-a.duckdb", lambda _: None)
    assert warehouse.nights.resolve().name == "nights-a.duckdb"
    prune(warehouse, 1)
    assert _files(warehouse) == [SUMS, "headroom-a.duckdb", "nights-a.duckdb"]


def test_published_release_is_never_pruned(warehouse: Warehouse) -> None:
    prune(warehouse, 1)  # nothing yet
    for number in range(4):
        release_warehouse(warehouse, f"headroom-{number}.duckdb", lambda _: None)
    point(warehouse.published, warehouse.releases / "headroom-0.duckdb")
    prune(warehouse, 2)
    kept = [f"headroom-{number}.duckdb" for number in (0, 2, 3)]
    assert _files(warehouse) == [SUMS, *kept]
    assert list(read_sums(warehouse.releases)) == kept


def test_torn_lines_of_checksums_are_skipped(tmp_path: Path) -> None:
    assert read_sums(tmp_path) == {}
    (tmp_path / SUMS).write_bytes(b"ab  a name\ntorn\n\n\xff  b\n")
    assert read_sums(tmp_path) == {"a name": "ab", "b": "\ufffd"}
    (tmp_path / "a name").touch()
    keep_sums(tmp_path, {"gone": "cd", "a name": "ab"})
    assert (tmp_path / SUMS).read_text() == "ab  a name\n"
    assert [path.name for path in tmp_path.iterdir()].count(f"{SUMS}.partial") == 0


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A Grafana that takes a request and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setenv("GRAFANA_URL", url)
        yield url


def test_silent_grafana_does_not_block_publishing(
    silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headroom.release.publish._GRAFANA_TIMEOUT_SECONDS", 0.05)
    assert str(reload_grafana()).startswith(f"{silent}: NOT reloaded")


def test_invalid_grafana_url_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFANA_URL", "grafana:3000")
    assert "NOT reloaded" in str(reload_grafana())
