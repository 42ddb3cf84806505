"""Rules for the ceilings of any array, tested with the SQL that dbt compiled."""

import os
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compiled import models_between
from tests.conftest import ROOT, Ask

INPUTS = """
create schema intermediate; create schema marts; create schema standards;
create table standards.interfaces as from read_csv('{seeds}/interfaces.csv');
create table marts.dim_raid_levels as from read_csv('{seeds}/dim_raid_levels.csv');
create table marts.fct_measurements (
    measurement_id varchar, document_id varchar, array_id varchar, profile_id varchar,
    controller_id varchar, drive_id varchar, raid_level varchar, drive_count bigint,
    drive_interface varchar, drive_media varchar, iops double, bytes_per_second double,
    is_valid boolean, is_derived boolean, value_qualifier varchar, outstanding_io_count bigint,
    page bigint, derivation varchar, converted_column varchar, has_own_processor boolean,
    is_example boolean, part_count bigint, combined_id varchar
);
create table intermediate.int_forecasts (
    array_id varchar, profile_id varchar, controller_id varchar, drive_id varchar,
    raid_level varchar, drive_count bigint, forecast_date date
);
create table intermediate.int_controller_limits (
    left_out varchar, controller_id varchar, raid_level varchar, profile_id varchar, iops double,
    bytes_per_second double, measurement_id varchar, known_from varchar,
    value_qualifier varchar, data_rate double
);
create table intermediate.int_white_papers__measurements (
    measurement_id varchar, rounding_ratio double
);
create table intermediate.int_printed_saturations (
    left_out varchar, controller_id varchar, raid_level varchar, drive_id varchar,
    profile_id varchar, saturating_drive_count bigint, is_own_level boolean,
    saturated_operation_count bigint, has_printed_limit boolean, most_iops_of_a_drive double
);
create table intermediate.int_load_profiles (
    profile_id varchar, published_names varchar[], random_ratio double, read_ratio double,
    mean_block_bytes double, block_mix struct(block_bytes bigint, share_ratio double)[],
    profile_names varchar[], block_bytes bigint
);
create table intermediate.int_controllers (
    controller_id varchar, disk_port_interface varchar, disk_port_count bigint,
    host_interface varchar, host_lane_count bigint
);
create table intermediate.int_drives (
    drive_id varchar, drive_media varchar, drive_interface varchar, series varchar,
    rated_random_read_iops double, rated_random_write_iops double,
    rated_read_bytes_per_second double, rated_write_bytes_per_second double
);
"""
Ceilings = dict[tuple[str, str, str, str], float | None]
ARRAYS = st.fixed_dictionaries(
    {
        "raid_level": st.sampled_from(["RAID 0", "RAID 1E", "RAID 10", "RAID 5", "RAID 6"]),
        "drive_count": st.integers(4, 48),
        "more_drives": st.integers(1, 16),
        "port": st.sampled_from(["SAS 3G", "SAS 6G", "SAS 12G"]),
        "ports": st.integers(1, 16),
        "drive_interface": st.sampled_from(["SATA 3G", "SATA 6G", "SAS 12G"]),
        "media": st.sampled_from(["HDD", "SSD"]),
        "lanes": st.sampled_from([1, 4, 8, 16]),
        "iops": st.floats(50, 1e6),
        "speed": st.floats(1e7, 2.9e8),
        "read_ratio": st.floats(0, 1),
        "less_read": st.floats(0, 1),
        "random_ratio": st.sampled_from([0.0, 1.0]),
    }
)


@pytest.fixture(scope="module")
def models(warehouse: Path) -> dict[str, str]:
    given = set(re.findall(r"create table \w+\.(\w+)", INPUTS))
    return models_between(warehouse, given, "fct_ceilings")


def _ceilings(models: dict[str, str], array: dict[str, Any]) -> Ceilings:
    """Ceilings of an array with some and with more drives, each with more and fewer reads."""
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as building; use building")
        connection.execute(INPUTS.format(seeds=ROOT / "dbt_project/seeds"))
        _insert(connection, array)
        for name, query in models.items():
            connection.execute(f"create table {name} as {query}")
        rows = connection.execute(
            "select array_id, profile_id, ceiling_kind, basis, bytes_per_second "
            "from marts.fct_ceilings where array_id != 'single'"
        ).fetchall()
    return {(a, p, kind, basis): value for a, p, kind, basis, value in rows}


def _insert(connection: duckdb.DuckDBPyConnection, array: dict[str, Any]) -> None:
    block, large = ([size, [{"block_bytes": size, "share_ratio": 1.0}]] for size in (8192, 65536))
    reads = {"read": array["read_ratio"], "less": array["read_ratio"] * array["less_read"]}
    profiles = [[name, None, array["random_ratio"], ratio, *block] for name, ratio in reads.items()]
    profiles += [
        ["sequential-read", None, 0, 1, *large], ["sequential-write", None, 0, 0, *large],
    ]  # fmt: skip
    counts = {"some": array["drive_count"], "more": array["drive_count"] + array["more_drives"]}
    rows = [
        [name, None, name, profile, "c", "d", array["raid_level"], count, None, None, 1, 1]
        for name, count in counts.items()
        for profile in reads
    ]
    rows += [
        ["single", None, "single", name, None, "d", None, 1, None, None, iops, speed]
        for name, iops, speed in (
            ("read", array["iops"], None), ("less", array["iops"], None),
            ("sequential-read", None, array["speed"]), ("sequential-write", None, array["speed"]),
        )
    ]  # fmt: skip
    insert = (
        "insert into marts.fct_measurements values ("
        + "?, " * 12
        + "true, false, 'exact', null, null, null, null, null, false, null, null)"
    )
    connection.executemany(insert, rows)
    connection.executemany(
        "insert into intermediate.int_load_profiles values (?, ?, ?, ?, ?, ?, null, null)", profiles
    )
    connection.execute(
        "insert into intermediate.int_controllers values ('c', ?, ?, 'PCIe 3.0', ?)",
        [array["port"], array["ports"], array["lanes"]],
    )
    connection.execute(
        "insert into intermediate.int_drives values ('d', ?, ?, null, null, null, null, null)",
        [array["media"], array["drive_interface"]],
    )


@settings(max_examples=int(os.environ.get("ARRAYS", "8")), suppress_health_check=list(HealthCheck))
@given(array=ARRAYS)
def test_ceiling_rules_hold_for_any_array(models: dict[str, str], array: dict[str, Any]) -> None:
    """ARRAYS=200 in `make torture`."""
    ceilings = _ceilings(models, array)
    for (name, profile, kind, basis), value in ceilings.items():
        if kind == "controller":
            assert value is None
            continue
        assert value is not None and value > 0
        effective = ceilings[name, profile, "effective", basis]
        assert effective is not None and effective <= value
        theoretical = ceilings[name, profile, kind, "theoretical"]
        assert theoretical is not None and value <= theoretical
        if name == "some":
            with_more_drives = ceilings["more", profile, kind, basis]
            assert with_more_drives is not None and with_more_drives >= value * (1 - 1e-12)
        if profile == "read" and kind == "drives" and array["random_ratio"] == 1:
            with_more_writes = ceilings[name, "less", kind, basis]
            assert with_more_writes is not None and with_more_writes <= value * (1 + 1e-12)


def _one(ask: Ask, query: str) -> Any:
    ((value,),) = ask(query)
    return value


@pytest.mark.parametrize(
    ("array_id", "profile_id", "kind", "basis", "mb"),
    [
        # Fujitsu 2016: page 8 (limits), 16 (7 x 237 MB/s)
        ("praid-ep400i-raid-5-8x-sas-12g-ssd-stripe-256kib", "sequential-read100-64KiB",
         "disk interface", "practical", 8240),
        ("praid-ep400i-raid-5-8x-sas-12g-ssd-stripe-256kib", "sequential-read100-64KiB",
         "host interface", "practical", 6761),
        ("no-controller-raid-5-8x-sas-12g-hdd", "sequential-read100-64KiB", "drives", "practical",
         7 * 237),
        ("praid-ep400i-raid-10-8x-sas-12g-hdd-stripe-256kib", "sequential-read0-64KiB", "drives",
         "practical", 4 * 237),
    ],
)  # fmt: skip
def test_ceilings_are_the_printed_limits(
    ask: Ask,
    array_id: str, profile_id: str, kind: str, basis: str, mb: int,
) -> None:  # fmt: skip
    found = ask(
        "select bytes_per_second / 1048576 from marts.fct_ceilings "
        "where array_id = ? and profile_id = ? and ceiling_kind = ? and basis = ?",
        array_id,
        profile_id,
        kind,
        basis,
    )
    assert found and round(found[0][0]) == mb


def test_measurement_has_its_share_of_the_ceiling(ask: Ask) -> None:
    """Page 28: eight SAS-12G-HDDs in RAID 0 read 1842 of 8 x 237 MB/s: the drives are the limit."""
    found = ask(
        "select binding_ceiling, round(ceiling_bytes_per_second / 1048576), "
        "round(attained_ratio, 3) from marts.measurements "
        "where controller = 'PRAID EP400i' and raid_level = 'RAID 0' and drive = 'SAS-12G-HDD' "
        "and bytes_per_second = 1842 * 1048576"
    )
    assert found == [("drives", 1896, 0.972)]


def test_share_and_remaining_headroom_add_up(ask: Ask) -> None:
    """2770 MB/s of 2780 MB/s (ioDrive2, page 18) are not 100 %."""
    query = """
        select attained_label, room_label from marts.rpt_headroom
        where array_label = 'ioDrive2, RAID 0, 2 x ioDrive2 1.2TB MLC'
            and profile_id = 'sequential-read100-64KiB'
    """
    assert ask(query) == [("≥ 99.6 %", "≤ 0.4 %")]


def test_print_that_differs_from_the_formula_is_a_finding(ask: Ask) -> None:
    query = (
        "select likely_reason from marts.fct_findings "
        "where finding_kind = 'differs from formula' and subject like 'C236%'"
    )
    assert _one(ask, query) == "printed: 3433 MB/s; the formula gives 3380 MB/s"


def test_missing_ceiling_has_a_reason(ask: Ask) -> None:
    query = (
        "select count(*) from marts.fct_ceilings "
        "where (missing_reason is null) = (coalesce(bytes_per_second, iops) is null) "
        "or bytes_per_second = 0 or iops = 0"
    )
    assert _one(ask, query) == 0


def test_littles_law_holds_for_valid_measurements(ask: Ask) -> None:
    query = "select max(littles_law_ratio) from marts.measurements where is_valid"
    assert 0.9 < _one(ask, query) < 1.01


def test_more_drives_never_lower_a_prediction(ask: Ask) -> None:
    """Unless a random write costs more with them: drives behind one link may then do less."""
    query = """
        select count(*) from (
            select raid_level, drive_count, bytes_per_second < lag(bytes_per_second) over (
                partition by controller_id, raid_level, drive_id, profile_id order by drive_count
            ) * (1 - 1e-12) as falls
            from marts.fct_predictions
        )
        where falls
        and (raid_level, drive_count) not in (('RAID 5', 4), ('RAID 6', 5), ('RAID 6', 6))
    """
    assert _one(ask, query) == 0


def test_no_published_value_exceeds_its_prediction(ask: Ask) -> None:
    """Except lower bounds and values of another processor; chart readings may be off by 2 %."""
    query = """
        select max(measured.bytes_per_second / predicted.bytes_per_second)
        from marts.measurements as measured
        inner join marts.fct_predictions as predicted
            using (controller_id, raid_level, drive_id, drive_count, profile_id)
        where measured.document_id is not null
            and measured.value_qualifier != 'at_least' and not has_own_processor
    """
    assert 0.9 < _one(ask, query) < 1.02


# Fujitsu 2016, pages 42 (RAID 0), 49 (RAID 5) and 41, 43 (how many SSDs saturate the controller).
@pytest.mark.parametrize(
    ("level", "iops", "saturating", "evidence"),
    [
        ("RAID 0", 250_000, 5, "printed limit"),
        ("RAID 5", 133_000, 7, "printed limit"),
        ("RAID 10", 250_000, 6, "controller limit unknown"),  # at most the limit of RAID 0
    ],
)
def test_predictions_match_the_paper(
    ask: Ask, level: str, iops: int, saturating: int, evidence: str
) -> None:
    found = ask(
        "select round(iops), saturating_drive_count, evidence, value_qualifier "
        "from marts.fct_predictions where controller = 'PRAID EP400i' and raid_level = ? "
        "and drive = 'SAS-12G-SSD' and drive_count = 16 and profile_id = 'random-read67-8KiB'",
        level,
    )
    qualifier = "at_most" if level == "RAID 10" else "approximate"
    assert found == [(iops, saturating, evidence, qualifier)]


def test_both_controllers_reach_the_printed_limit(ask: Ask) -> None:
    """Fujitsu 2016, page 46: about 3100 MB/s are the limit of both controllers at RAID 5."""
    found = ask(
        "select controller, binding_ceiling, attained_ratio from marts.measurements "
        "where page = 46 and profile_name = 'Restore' and drive_count = 24 order by controller"
    )
    assert found == [
        ("PRAID EP400i", "controller", 1.0), ("PRAID EP420i", "controller", 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # page 8: SATA drives on eight ports, 4120 MB/s for any mix
        ("select round(bytes_per_second / 1048576) from marts.fct_predictions "
         "where controller = 'PSAS CP400i' and raid_level = 'RAID 0' and drive = 'SATA-6G-SSD' "
         "and drive_count = 24 and profile_id = 'random-read67-64KiB'", 4120),
        # page 41: a RAID 10 has 16 drives at most; page 4, note 3: six on C610, on its own ports
        ("select max(drive_count) from marts.fct_predictions "
         "where controller = 'PRAID EP400i' and raid_level = 'RAID 10'", 16),
        ("select max(drive_count) from marts.fct_predictions "
         "where controller = 'C610' and not needs_expander", 6),
        # page 18, and ioDrive2 2013, pages 8 and 19: the exact value wins over the rounded one
        ("select iops from marts.fct_ceilings where array_id like 'iodrive2-raid-0-2x-%' "
         "and profile_id = 'random-read67-8KiB' and ceiling_kind = 'drives' "
         "and basis = 'practical'", 2 * 49919),
        # Intel 2013, pages 5 and 14: the 800GB model is rated as its series, 75000 IO/s
        ("select iops from marts.fct_ceilings where array_id like 'megaraid-9265-8i-raid-5-8x-%' "
         "and profile_id = 'random-read100-4KiB' and ceiling_kind = 'drives' "
         "and basis = 'practical'", 8 * 75000),
        # mirrored hard disks read one copy in practice, both in theory (page 36)
        ("select round(bytes_per_second / 1048576) from marts.fct_ceilings "
         "where array_id like 'praid-ep400i-raid-10-8x-sas-12g-hdd%' and basis = 'practical' "
         "and profile_id = 'sequential-read100-64KiB' and ceiling_kind = 'drives'", 4 * 237),
        ("select round(bytes_per_second / 1048576) from marts.fct_ceilings "
         "where array_id like 'praid-ep400i-raid-10-8x-sas-12g-hdd%' and basis = 'theoretical' "
         "and profile_id = 'sequential-read100-64KiB' and ceiling_kind = 'drives'", 8 * 237),
    ],
)  # fmt: skip
def test_limits_that_the_papers_print(ask: Ask, query: str, expected: float) -> None:
    assert _one(ask, query) == expected


def test_a_prediction_lies_between_its_low_and_high_value(ask: Ask) -> None:
    query = """
        select count(*) from marts.fct_predictions
        where not (low_bytes_per_second <= bytes_per_second
            and bytes_per_second <= high_bytes_per_second * (1 + 1e-12))
    """
    assert _one(ask, query) == 0


def test_back_test_does_not_use_its_own_value(ask: Ask) -> None:
    query = """
        select count(*) from marts.rpt_back_tests as tests
        inner join marts.fct_measurements as inputs
            on tests.binding_measurement_id = inputs.measurement_id
        where inputs.document_id = tests.document_id and (
            inputs.page = tests.page
            or inputs.profile_id = tests.profile_id
            and inputs.bytes_per_second = tests.bytes_per_second
        )
    """
    assert _one(ask, query) == 0
    assert _one(ask, "select count(*) from marts.rpt_back_tests") > 80
