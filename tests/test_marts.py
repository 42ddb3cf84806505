"""The public contract of the published file."""

import re

import pytest

from tests.conftest import Ask

# Boards, queries and users rely on these: columns may be added, none of these may go.
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
# A number's name ends in its unit; the last names here are numbers without a unit.
UNIT = re.compile(
    r"(^|_)(iops|(mega|mebi)?bytes_per_second|us|(tera)?bytes|seconds|ratio|count|watts|hertz|rpm)$|"
    r"(iops|bytes_per_second)_per_(watt|price_unit)$|^price$|"
    r"^(page|(line|limit|rule|finding)_order|threshold|(read|write)_factor|generation|measured_year|fact_position|(job|curve)_number|axis_m(in|ax)imum|(min_|max_|low_|high_|baseline_|published_|ceiling_)?(per_drive_)?(headline_|claimed_|logged_|observed_|expected_|subject_|object_)?value)$"
)
GRAFANA_TYPES = {"VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN", "DATE", "TIMESTAMP"}


@pytest.fixture(scope="module")
def columns(ask: Ask) -> list[tuple[str, str, str, str]]:
    return ask(
        "select table_name, column_name, data_type, comment from duckdb_columns() "
        "where schema_name = 'marts'"
    )


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


def test_nothing_is_quarantined(ask: Ask) -> None:
    assert ask("from quality.quarantined_files") == []


def test_sample_run_has_its_load_and_server(ask: Ask) -> None:
    rows = ask(
        "select source_position, profile_id, outstanding_io_count, server, controller, "
        "round(iops), round(latency_p99_us) from marts.measurements "
        "where source_path like '%-libaio.json' order by source_position"
    )
    server = "virtual machine, 2 vCPU"
    assert rows == [
        ("jobs[0] random-read-4k-qd1", "random-read100-4KiB", 1, server, None, 12953, 138),
        ("jobs[1] random-read-4k-qd32", "random-read100-4KiB", 32, server, None, 101430, 586),
        ("jobs[2] database-8k-qd16", "random-read67-8KiB", 16, server, None, 44643, None),
        ("jobs[3] streaming-64k-qd8", "sequential-read100-64KiB", 8, server, None, 24935, 561),
        ("jobs[4] restore-64k-qd8", "sequential-read0-64KiB", 8, server, None, 24798, 477),
    ]


@pytest.mark.parametrize(
    ("interface", "lane_count", "megabytes_per_second"),
    [
        ("SAS 12G", 1, 1200),
        ("SAS 22.5G", 1, 2400),
        ("SATA 6G", 1, 600),
        ("PCIe 3.0", 8, 7877),
        ("PCIe 4.0", 16, 31508),
        ("PCIe 5.0", 4, 15754),
        ("PCIe 6.0", 16, 121000),
        ("Ethernet 10G", 1, 1250),
        ("Ethernet 25G", 1, 3125),
        ("Ethernet 40G", 1, 5000),
        ("Ethernet 50G", 1, 6250),
        ("Ethernet 100G", 1, 12500),
        ("Ethernet 200G", 1, 25000),
        ("Ethernet 400G", 1, 50000),
        # nominally 800, 1600, 3200 and 6400 MB/s; frames take the rest
        ("FC 8G", 1, 850),
        ("FC 16G", 1, 1700),
        ("FC 32G", 1, 3400),
        ("FC 64G", 1, 6800),
        ("InfiniBand SDR", 4, 1000),
        ("InfiniBand DDR", 4, 2000),
        ("InfiniBand QDR", 4, 4000),
        ("InfiniBand FDR", 4, 6818),
        ("InfiniBand EDR", 4, 12500),
        ("InfiniBand HDR", 4, 25000),
        ("InfiniBand NDR", 4, 50000),
    ],
)
def test_interface_rates_match_published_rates(
    ask: Ask,
    interface: str,
    lane_count: int,
    megabytes_per_second: int,
) -> None:
    query = "select lane_theoretical_bytes_per_second from marts.dim_interfaces where interface = ?"
    ((rate,),) = ask(query, interface)
    assert round(rate * lane_count / 1e6) == megabytes_per_second
