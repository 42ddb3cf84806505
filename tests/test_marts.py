"""The public contract of the published file."""

import re

import duckdb
import pytest

# DESIGN's list; more columns are welcome, none of these may go.
MEASUREMENT_COLUMNS = {
    "measurement_id", "source_format", "source_path", "source_position", "document_id",
    "document_title", "page", "locator", "tool_name", "tool_version", "measured_at", "vendor",
    "controller", "controller_generation", "server", "raid_level", "drive_count", "drive",
    "drive_media", "drive_interface", "stripe_bytes", "profile_id", "profile_name",
    "access_pattern", "random_ratio", "read_ratio", "block_bytes", "outstanding_io_count",
    "worker_count", "iops", "read_iops", "write_iops", "bytes_per_second",
    "read_bytes_per_second", "write_bytes_per_second", "latency_mean_us", "latency_p50_us",
    "latency_p95_us", "latency_p99_us", "latency_p999_us", "latency_max_us", "value_qualifier",
    "is_derived", "is_valid", "validity_note", "ceiling_iops", "ceiling_bytes_per_second",
    "binding_ceiling", "attained_ratio",
}  # fmt: skip
# Every number says its unit in its name; the others are numbers without one.
UNIT = re.compile(
    r"(^|_)(iops|(mega)?bytes_per_second|us|(tera)?bytes|seconds|ratio|count|watts|hertz|rpm)$|"
    r"^(page|generation|job_number|axis_m(in|ax)imum|(min_|max_)?(per_drive_)?(headline_|claimed_|logged_|observed_|expected_|subject_|object_)?value)$"
)
GRAFANA_TYPES = {"VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN", "DATE", "TIMESTAMP"}


@pytest.fixture(scope="module")
def columns(published: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str, str]]:
    return published.execute(
        "select table_name, column_name, data_type, comment from duckdb_columns() "
        "where schema_name = 'marts'"
    ).fetchall()


def test_measurements_has_the_columns_of_the_contract(
    columns: list[tuple[str, str, str, str]],
) -> None:
    have = {column for table, column, _, _ in columns if table == "measurements"}
    assert not MEASUREMENT_COLUMNS - have


def test_the_tables_of_the_contract_exist(columns: list[tuple[str, str, str, str]]) -> None:
    tables = {table for table, *_ in columns}
    assert tables >= {
        "measurements", "fct_measurements", "fct_latency_percentiles", "fct_claims",
        "dim_documents", "dim_controllers", "dim_drives", "dim_arrays", "dim_load_profiles",
        "dim_interfaces",
    }  # fmt: skip


def test_every_column_is_described_in_the_file(
    columns: list[tuple[str, str, str, str]],
) -> None:
    assert [(table, column) for table, column, _, comment in columns if not comment] == []


def test_every_number_names_its_unit(columns: list[tuple[str, str, str, str]]) -> None:
    numbers = {column for _, column, kind, _ in columns if kind in ("DOUBLE", "BIGINT")}
    assert [column for column in numbers if not UNIT.search(column)] == []


def test_grafana_can_show_every_type(columns: list[tuple[str, str, str, str]]) -> None:
    assert {kind for _, _, kind, _ in columns} <= GRAFANA_TYPES


def test_nothing_is_quarantined(published: duckdb.DuckDBPyConnection) -> None:
    assert published.execute("from quality.quarantined_files").fetchall() == []


def test_the_sample_run_says_what_it_ran_on(published: duckdb.DuckDBPyConnection) -> None:
    rows = published.execute(
        "select source_position, profile_id, outstanding_io_count, server, controller, "
        "round(iops), round(latency_p99_us) from marts.measurements "
        "where source_path like '%-libaio.json' order by source_position"
    ).fetchall()
    server = "virtual machine, 2 vCPU"
    assert rows == [
        ("jobs[0] random-read-4k-qd1", "random-read100-4KiB", 1, server, None, 12953, 138),
        ("jobs[1] random-read-4k-qd32", "random-read100-4KiB", 32, server, None, 101430, 586),
        ("jobs[2] database-8k-qd16", "random-read67-8KiB", 16, server, None, 44643, None),
        ("jobs[3] streaming-64k-qd8", "sequential-read100-64KiB", 8, server, None, 24935, 561),
        ("jobs[4] restore-64k-qd8", "sequential-read0-64KiB", 8, server, None, 24798, 477),
    ]
