"""Claims of the papers: what is judged, on what, and that other numbers give other verdicts."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.conftest import ROOT

FUJITSU = "fujitsu-raid-controllers-2016"
IODRIVE = "fujitsu-iodrive2-2013"
# As dbt builds them; each may read those before it.
MODELS = (
    "int_single_drives", "int_sequential_drives", "int_published_maxima", "int_array_profiles",
    "int_links", "int_ceilings",
    "int_claims", "int_claims__sources", "int_claims__profiles", "int_claims__points",
    "int_claims__readings", "int_claims__wanted", "int_claims__sides", "int_claims__pairs",
    "int_claims__compared", "int_claims__ceilings", "int_claims__limits", "int_claims__formulas",
    "int_claims__controller_maxima", "int_claims__drive_counts", "int_claims__saturations",
    "int_claims__reasons", "int_claims__judged",
)  # fmt: skip
# What a confirmed claim must lose when every number becomes its reciprocal.
DIRECTED = ("higher", "lower", "increases", "ratio", "percent_higher")
UPSIDE_DOWN = """
    update building.intermediate.int_measurements set
        iops = 1e10 / iops, min_iops = 1e10 / max_iops, max_iops = 1e10 / min_iops,
        bytes_per_second = 1e20 / bytes_per_second,
        min_bytes_per_second = 1e20 / max_bytes_per_second,
        max_bytes_per_second = 1e20 / min_bytes_per_second,
        latency_mean_us = 1e6 / latency_mean_us,
        min_latency_mean_us = 1e6 / max_latency_mean_us,
        max_latency_mean_us = 1e6 / min_latency_mean_us
"""
Verdicts = dict[str, tuple[str, str | None]]  # with what they are from


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[Any]:
    return connection.execute(query).fetchall()


@pytest.fixture
def judge(warehouse: Path, tmp_path: Path) -> Iterator[Callable[[str], Verdicts]]:
    """Verdicts after a change of a copy of what was built, by the very SQL that dbt compiled."""
    folder = warehouse / "dbt/compiled/headroom/models/intermediate"
    copy = shutil.copyfile(warehouse / "building.duckdb", tmp_path / "changed.duckdb")
    with duckdb.connect() as connection:
        connection.execute(f"attach '{copy}' as building; use building")

        def verdicts(change: str) -> Verdicts:
            connection.execute(change)
            for name in MODELS:
                query = (folder / f"{name}.sql").read_text()
                connection.execute(f"create or replace table intermediate.{name} as {query}")
            found = connection.execute(
                "select claim_id, verdict, inputs from intermediate.int_claims__judged"
            )
            return {claim: (verdict, inputs) for claim, verdict, inputs in found.fetchall()}

        yield verdicts


def test_every_claim_is_judged(published: duckdb.DuckDBPyConnection) -> None:
    verdicts = _rows(published, "select distinct verdict from marts.fct_claims")
    assert {verdict for (verdict,) in verdicts} == {"confirmed", "contradicted", "not decidable"}
    assert _rows(published, "select count(*) from marts.fct_claims") == [(357,)]


def test_what_is_open_says_what_is_missing(published: duckdb.DuckDBPyConnection) -> None:
    query = """
        select claim_id from marts.fct_claims
        where (verdict = 'not decidable') != (missing is not null) or missing = ''
    """
    assert _rows(published, query) == []


def test_what_is_decided_says_from_what(published: duckdb.DuckDBPyConnection) -> None:
    """Two measurements, or one and a ceiling, or the terms of a formula."""
    query = """
        select claim_id from marts.fct_claims
        where verdict != 'not decidable' and (
            subject_value is null or object_value is null or derived_ratio is null
            or compared_unit is null or inputs is null or judged_by is null or pair_count < 1
            or subject_measurement_id = object_measurement_id
            or (subject_measurement_id is null or object_measurement_id is null)
            and judged_by not in ('stated facts', 'ceiling', 'RAID formula', 'write penalty')
            or judged_by = 'ceiling' and subject_measurement_id is null
        )
    """
    assert _rows(published, query) == []


def test_no_claim_rests_on_what_a_paper_computed(published: duckdb.DuckDBPyConnection) -> None:
    query = """
        select claims.claim_id
        from marts.fct_claims as claims
        inner join marts.measurements
            on measurement_id in (subject_measurement_id, object_measurement_id)
        where verdict != 'not decidable' and (is_derived or not is_valid)
    """
    assert _rows(published, query) == []


def test_no_claim_rests_on_one_printed_value(published: duckdb.DuckDBPyConnection) -> None:
    query = """
        select claims.claim_id
        from marts.fct_claims as claims
        inner join marts.measurements as subjects
            on claims.subject_measurement_id = subjects.measurement_id
        inner join marts.measurements as objects
            on claims.object_measurement_id = objects.measurement_id
        where claims.verdict != 'not decidable'
            and (subjects.page, subjects.as_printed) = (objects.page, objects.as_printed)
    """
    assert _rows(published, query) == []


@pytest.mark.parametrize(
    ("claim", "verdict", "subject", "object_", "ratio"),
    [
        ("raid5-database-4.6-times", "confirmed", 133000, 28700, 4.634),
        ("ratio-raid10-raid0-file-copy", "confirmed", 1.5, 1, 0.667),
        ("ratio-raid10-raid0-file-server", "confirmed", 1.33, 1, 0.752),
        ("ratio-raid10-raid0-database", "confirmed", 1.33, 1, 0.752),
        ("ratio-raid5-raid0-file-copy", "confirmed", 2.5, 1, 0.4),
        ("ratio-raid5-raid0-file-server", "confirmed", 1.99, 1, 0.503),
        ("ratio-raid5-raid0-database", "confirmed", 1.99, 1, 0.503),
        ("saturate-raid0-8k", "confirmed", 240000, 55865, 5),
        # 133000 IO/s, of the EP420i: five of 55865 / (0.67 + 0.33 x 4); printed: seven
        ("saturate-raid5-8k", "contradicted", 133000, 28073, 5),
    ],
)
def test_claims_of_fujitsu_2016(
    published: duckdb.DuckDBPyConnection,
    claim: str, verdict: str, subject: float, object_: float, ratio: float,
) -> None:  # fmt: skip
    query = f"""
        select verdict, round(subject_value, 2), round(object_value, if(object_value < 10, 2, 0)),
            round(derived_ratio, 3)
        from marts.fct_claims where claim_id = '{FUJITSU}-{claim}'
    """
    assert _rows(published, query) == [(verdict, subject, object_, ratio)]


def test_the_quotient_columns_are_computed_anew(published: duckdb.DuckDBPyConnection) -> None:
    """Page 19 of ioDrive2: 15 quotients; 18018 / 571 is 31.556, printed as 31.55."""
    query = f"""
        select verdict, count(*), max(abs(derived_ratio - claimed_value))
        from marts.fct_claims where claim_id like '{IODRIVE}-quotient-%' group by verdict
    """
    ((verdict, count, difference),) = _rows(published, query)
    assert (verdict, count) == ("confirmed", 15)
    assert difference < 0.01


def test_a_maximum_that_is_none_is_contradicted(published: duckdb.DuckDBPyConnection) -> None:
    """A maximum of about 3.5 times the SAS SSD, below a table that has 6.32."""
    query = f"""
        select verdict, round(derived_ratio, 2) from marts.fct_claims
        where claim_id = '{IODRIVE}-maximum-quotient-sas-ssd'
    """
    assert _rows(published, query) == [("contradicted", 6.32)]


@pytest.mark.parametrize(
    ("document_id", "decided"),
    [(FUJITSU, 20), (IODRIVE, 50), ("intel-dc-s3500-raid-2013", 8), ("demartek-ibm-hp-2009", 5)],
)
def test_a_good_part_of_each_paper_is_decided(
    published: duckdb.DuckDBPyConnection, document_id: str, decided: int
) -> None:
    query = f"""
        select count(*) from marts.fct_claims
        where document_id = '{document_id}' and verdict != 'not decidable'
    """
    ((count,),) = _rows(published, query)
    assert count >= decided


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (
            "set iops = iops / 2 where controller = 'PRAID EP420i' and iops = 133000",
            f"{FUJITSU}-raid5-database-4.6-times",
        ),
        (
            "set bytes_per_second = 2 * bytes_per_second where controller = 'PRAID CP400i'",
            f"{FUJITSU}-low-load-cp400i-lower",
        ),
        ("set iops = iops / 2 where drive_count = 1", f"{FUJITSU}-saturate-raid0-8k"),
        (
            "set iops = 1.01 * iops where drive = 'ioDrive2 1.2TB MLC'",
            f"{IODRIVE}-quotient-database-sas-hdd",
        ),
        (
            "set bytes_per_second = 1.5 * bytes_per_second where drive_count = 8",
            "intel-dc-s3500-raid-2013-raid-1-pcie-limit-not-reached",
        ),
    ],
)  # fmt: skip
def test_other_measurements_contradict(
    judge: Callable[[str], Verdicts], change: str, claim: str
) -> None:
    assert judge("select 1")[claim][0] == "confirmed"
    assert (
        judge(f"update building.intermediate.int_measurements {change}")[claim][0] == "contradicted"
    )


def test_other_costs_of_raid_levels_contradict(judge: Callable[[str], Verdicts]) -> None:
    change = """
        update building.standards.raid_levels set random_extra_bytes_read = 1
        where raid_level = 'RAID 5'
    """
    found = judge(change)
    assert found[f"{FUJITSU}-write-penalty-raid-5"][0] == "contradicted"
    assert found[f"{FUJITSU}-ratio-raid5-raid0-file-copy"][0] == "contradicted"
    assert found[f"{FUJITSU}-ratio-raid10-raid0-file-copy"][0] == "confirmed"


def test_nothing_is_confirmed_by_construction(
    judge: Callable[[str], Verdicts], published: duckdb.DuckDBPyConnection
) -> None:
    """With every number its reciprocal no direction or factor stands on the same two numbers."""
    query = f"""
        select claim_id, inputs from marts.fct_claims
        where verdict = 'confirmed' and relation in {DIRECTED}
            and judged_by not in ('stated facts', 'RAID formula')
    """
    claims = dict(_rows(published, query))
    assert len(claims) > 50
    found = judge(UPSIDE_DOWN)
    still = {claim: found[claim][1] for claim in claims if found[claim][0] == "confirmed"}
    assert [claim for claim, inputs in still.items() if inputs == claims[claim]] == []
    # a claim of one case, or of maxima, may find another that fits
    assert len(still) < 0.1 * len(claims)


def test_without_measurements_only_formulas_and_facts_decide(
    judge: Callable[[str], Verdicts],
) -> None:
    found = judge("delete from building.intermediate.int_measurements")
    decided = {claim for claim, (verdict, _) in found.items() if verdict != "not decidable"}
    assert decided
    assert all(
        "write-penalty" in claim or "-ratio-raid" in claim or "initialisation" in claim
        for claim in decided
    )


def test_the_compiled_models_are_all_there(warehouse: Path) -> None:
    folder = ROOT / "dbt_project/models/intermediate"
    assert {path.stem for path in folder.glob("int_claims*.sql")} <= set(MODELS)
    assert (warehouse / "building.duckdb").exists()
