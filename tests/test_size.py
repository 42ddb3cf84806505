"""`headroom size`: every limit of an array, and the designs that reach a target."""

import csv
import re
from functools import cache
from pathlib import Path
from typing import Any

import click
import duckdb
import pytest

from headroom.analyse.name_search import find_raid_level
from headroom.analyse.size import _AboveZero, terabytes
from headroom.warehouse import WarehouseError
from tests.conftest import refusal
from tests.in_process import printed_rows, run

_run, _rows = cache(run), cache(printed_rows)
ARRAY = ("--controller", "EP420i", "--raid", "5", "--drive", "sas-12g-ssd", "--drives", "8")


def _limits(release: Path, *array: str) -> dict[str, dict[str, Any]]:
    """The limits of an array, and its prediction, by kind."""
    return {row["ceiling_kind"]: row for row in _rows(release, "size", *array)}


def test_every_limit_has_its_value_and_source(release: Path) -> None:
    """Fujitsu 2016: one drive does 55865 IO/s (page 18), the controller up to 133000 (page 49).

    A lane of SAS 12G carries 1.2 GB/s, eight of PCIe 3.0 8 x 8 Gbit/s x 128/130; 90 % of it in
    practice. Of 100 I/Os 67 read and 33 write; a write is two reads and two writes on disk.
    """
    found = _limits(release, *ARRAY, "--profile", "Database")
    assert [kind for kind, row in found.items() if row["is_binding"]] == ["controller"]
    assert {kind: row["iops"] for kind, row in found.items()} == pytest.approx({
        "controller": 133000,
        "drives": 8 * 55865 / (0.67 + 0.33 * 4),
        "disk interface": 8 * 1.2e9 * 0.9 / (0.67 + 0.33 * 2) / 8192,
        "host interface": 8 * 8e9 * 128 / 130 / 8 * 0.9 / 0.67 / 8192,
        "prediction": 133000,
    })  # fmt: skip
    assert found["controller"]["basis"] == (
        "published: up to 133000 IO/s (RAID Controller Performance 2016, p. 49)"
    )
    assert found["prediction"]["value_label"] == "≈ 133 kIOPS"
    assert found["prediction"]["evidence"] == "printed limit"
    assert found["prediction"]["low_value"] is None
    assert found["prediction"]["high_value"] == 133000


def test_low_value_is_a_measured_value(release: Path) -> None:
    """Fujitsu 2016: EP420i does up to 248000 IO/s at RAID 0 (page 49), about 250000 with 24 drives
    (page 42), which may be 255000. RAID 5 was not measured."""
    array = ("--controller", "EP420i", "--drive", "SAS-12G-SSD", "--drives", "24")
    (*_, found) = _rows(release, "size", *array, "--raid", "0", "--profile", "Database")
    assert found["low_value"] == 248000
    assert found["high_value"] == pytest.approx(255000)
    assert "low 248 kIOPS (about 250000 IO/s, RAID Controller" in found["basis"]
    (*_, unknown) = _rows(release, "size", *array, "--raid", "5", "--profile", "Database")
    assert unknown["low_value"] is None
    assert "low not known, high 133 kIOPS" in unknown["basis"]


def test_sure_designs_come_first_and_data_sheets_last(release: Path) -> None:
    reached = ["measured", "sure", "likely", "possible", "data sheet"]
    rows = _rows(release, "size", "--iops", "200k", "--profile", "Database")
    order = [reached.index(row["reach"]) for row in rows]
    assert order == sorted(order)
    assert {*order} == {*range(len(reached))}
    assert all(row["low_value"] >= 200000 for row in rows if row["reach"] == "sure")
    for row in rows:
        is_rated = row["reach"] == "data sheet"
        assert {row["evidence"] == "data sheet", row["confidence"] == "data sheet"} == {is_rated}
    fewest = {}
    for row in (row for row in rows if row["evidence"] != "measured"):
        design = row["design_label"]
        assert row["drive_count"] < fewest.get(design, 1000)
        fewest[design] = row["drive_count"]
    asked = ("size", "--iops", "100k", "--raid", "6", "--profile", "Database")
    shown = _run(release, *asked)
    heads, first, *_ = shown.stdout.splitlines()
    assert heads.split()[:6] == ["drives", "design,", "limit", "or", "source", "value"]
    assert first == "not excluded: the value is an upper bound:"


def test_a_capacity_alone_is_reached_for_sure(release: Path) -> None:
    """It is exact, whatever the rates are."""
    rows = _rows(release, "size", "--capacity", "5TB", "--profile", "Database")
    predicted = [row for row in rows if row["evidence"] != "measured"]
    assert {row["reach"] for row in predicted} == {"sure"}
    assert any(row["low_value"] is None for row in predicted)
    counts = [row["drive_count"] for row in predicted]
    assert counts == sorted(counts)


def test_a_measured_upper_bound_is_not_reached(release: Path) -> None:
    """Fujitsu, ioDrive2, pages 13 and 18: four cards do "up to" 155000 and 156000 IO/s."""
    rows = _rows(release, "size", "--iops", "100000", "--profile", "Database")
    reach = {row["value_label"][0]: row["reach"] for row in rows if row["evidence"] == "measured"}
    assert reach.pop("≤") == "possible"
    assert {*reach.values()} == {"measured"}


def test_saturating_drive_counts_match_the_paper(release: Path) -> None:
    """Fujitsu 2016, page 43: seven SAS-12G-SSDs saturate the controller at RAID 5, six do not."""
    rows = _rows(
        release, "size", "--iops", "133000", "--raid", "5", "--profile", "Database",
        "--drive", "SAS-12G-SSD", "--controller", "EP420i",
    )  # fmt: skip
    assert min(row["drive_count"] for row in rows) == 7
    array = ("--controller", "EP400i", "--drive", "SAS-12G-SSD", "--drives", "24", "--raid", "5")
    for profile in ("random-read67-64KiB", "random-read50-64KiB"):  # page 43: 17 with 64 kB
        (*_, found) = _rows(release, "size", *array, "--profile", profile)
        assert "saturated by 17 drives" in found["basis"]


def test_port_count_comes_from_the_controller_name(release: Path) -> None:
    array = ("--controller", "940-8i", "--raid", "5", "--drive", "DC S4500", "--drives", "8")
    rows = _limits(release, *array, "--profile", "Restore")
    assert rows["disk interface"]["basis"].startswith("8 x SATA 6G")


def test_unknown_limit_has_a_reason(release: Path) -> None:
    array = ("--controller", "9670W", "--raid", "0", "--drive", "SAS-12G-SSD", "--drives", "4")
    rows = _rows(release, "size", *array, "--profile", "Database")
    (controller,) = (row for row in rows if row["ceiling_kind"] == "controller")
    assert controller["value_label"] is None
    assert "no document reports a limit" in controller["basis"]
    assert rows[-1]["value_label"].startswith("≤ ")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (("--drives", "99"), "EP420i at RAID 5 are for 3 to 32 drives"),
        (
            ("--controller", "9670W", "--drives", "99"),
            "at RAID 5 are for 3 to 32 drives; it takes up to 240",
        ),
        (("--controller", "H755", "--raid", "5"), "its RAID levels and its number of ports must"),
        (("--controller", "PRAID CP400i", "--raid", "6"), "supports RAID 0, 1, 1E, 5, 10, 50"),
        (("--controller", "9560-16i"), "MegaRAID 9560-16i: its RAID levels must be known; define"),
        (("--drive", "Samsung 980 PRO 1TB"), "(PCIe 4.0 x4) does not fit the ports of PRAID"),
        (("--drive", "Intel DC P3600"), "Intel DC P3600 (PCIe 3.0 x4) does not fit the ports of"),
        (
            ("--drive", "Micron 5100"),
            "Micron 5100: its interface must be known with its speed; define",
        ),
        (
            ("--drive", "DC S4500", "--profile", "random-read100-1KiB"),
            "smaller blocks may be faster",
        ),
        (("--drive", "DC S4500", "--profile", "random95-read70-4KiB"), "the load is partly random"),
        (
            ("--drive", "DC S4500", "--profile", "random-read70-4KiB"),
            "or fewer than three documents report the load",
        ),
        (
            ("--drive", "DC S4500", "--profile", "sequential-read100-4KiB"),
            "say little of blocks below 64 KiB",
        ),
        (("--drive", "Exos X24 SAS", "--profile", "Restore"), "does not rate both directions"),
        (("--controller", "CP400i"), "CP400i: ambiguous controller; choose one of these:"),
        (("--profile", "random-read100-4KiB"), "no single SAS-12G-SSD was measured at random-read"),
    ],
)
def test_refused_prediction_has_a_reason(
    release: Path, changed: tuple[str, ...], reason: str
) -> None:
    assert reason in refusal(_run(release, "size", *ARRAY, "--profile", "Database", *changed))


@pytest.mark.parametrize(
    ("level", "profile", "iops", "basis"),
    [
        ("0", "random-read100-4KiB", 4 * 72_000, "4 drives x 72000 IO/s"),
        ("5", "random-read0-4KiB", 4 * 33_000 / 2, "4 drives x 33000 IO/s"),
        ("10", "random-read0-4KiB", 4 * 33_000 / 2, "4 drives x 33000 IO/s"),
        ("0", "random-read100-16KiB", 4 * 500e6 / 16384, "4 drives x 500000000 B/s"),
        ("5", "Restore", 3 * 490e6 / 65536, "3 drives x 490000000 B/s"),
    ],
)
def test_a_data_sheet_gives_an_upper_bound(
    release: Path, level: str, profile: str, iops: float, basis: str
) -> None:
    """Intel DC S4500: 72,000 random reads and 33,000 writes of 4 KB, 500 and 490 MB/s."""
    array = ("--controller", "EP420i", "--raid", level, "--drive", "DC S4500", "--drives", "4")
    rows = _limits(release, *array, "--profile", profile)
    assert rows["drives"]["iops"] == pytest.approx(iops)
    assert rows["drives"]["basis"].startswith(f"{basis} (intel-dc-s4500-s4600)")
    predicted = rows["prediction"]
    assert predicted["value_label"].startswith("≤ ")
    assert predicted["iops"] <= iops * (1 + 1e-9)
    assert (predicted["evidence"], predicted["low_value"]) == ("data sheet", None)


def test_designs_use_the_fewest_drives_for_a_target(release: Path) -> None:
    """RAID 5 with drives of 400 GB: 5 TB take 13 data drives and one for parity."""
    target = ("--iops", "100000", "--capacity", "5TB", "--profile", "Database")
    rows = _rows(release, "size", *target, "--controller", "EP420i", "--raid", "5")
    (row,) = (row for row in rows if row["design_label"] == "PRAID EP420i, RAID 5, SAS-12G-SSD")
    assert (row["drive_count"], row["usable_terabytes"]) == (14, pytest.approx(5.2))
    assert row["iops"] == 133000
    assert all(row["iops"] >= 100000 and row["usable_terabytes"] >= 5 for row in rows)


@pytest.mark.parametrize(
    ("text", "level"), [("0", "RAID 0"), ("raid10", "RAID 10"), ("1e", "RAID 1E"), ("jbod", "JBOD")]
)
def test_raid_level_is_found_by_its_number(
    marts: duckdb.DuckDBPyConnection, text: str, level: str
) -> None:
    assert find_raid_level(marts, text) == level


def test_only_a_limit_leaves_unknown_prices_out(release: Path) -> None:
    asked = ("size", "--profile", "Database", "--iops", "1e12", "--sort", "price")
    told = refusal(_run(release, *asked))
    assert "lower a target" in told
    assert "left out" not in told


def test_latency_target_uses_only_measured_values(release: Path) -> None:
    rows = _rows(release, "size", "--latency-us", "300", "--profile", "Database")
    assert {row["evidence"] for row in rows} == {"measured"}
    assert all(row["latency_mean_us"] <= 300 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--controller", "EP420i"), "give --raid, --drive, --drives too, or a target"),
        (("--iops", "1e12"), "lower a target"),
        (("--capacity", "5"), "write a number and TB, GB, TiB or GiB"),
        (("--raid", "7"), "7: unknown RAID level; the nearest: "),
        (("--controller", "nosuch"), "nosuch: unknown controller; the nearest: "),
        (("--profile", "Databse"), "Databse: unknown load profile; the nearest: "),
        (("--latency-us", "0"), "'0' is not a number above 0"),
        (("--capacity", "0TB"), "write a number and TB"),
        (("--iops", "1", "--max-price", "9000"), "--max-price 9000: write a number and its"),
        (("--iops", "1", "--max-price", "1EUR"), "unknown prices and power are left out"),
        (("--iops", "1", "--max-power-watt", "-1"), "'-1' is not a number above 0"),
        (("--sort", "price"), "--sort need a target"),
    ],
)
def test_an_error_says_what_to_give(release: Path, arguments: tuple[str, ...], told: str) -> None:
    assert told in refusal(_run(release, "size", "--profile", "Database", *arguments))


@pytest.mark.parametrize(
    ("text", "value"),
    [("100k", 1e5), ("0.1M", 1e5), ("100 K", 1e5), ("1.5M", 1.5e6), ("0.3k", 300), ("1e5", 1e5)],
)
def test_a_target_may_be_written_in_thousands(text: str, value: float) -> None:
    assert _AboveZero().convert(text, None, None) == value


@pytest.mark.parametrize("text", ["many", "1.5m", "0", "-5", "nan", "1e999"])
def test_invalid_target_is_refused(text: str) -> None:
    told = f"'{text}' is not a number above 0, such as 250, 100k or 1.5M"
    with pytest.raises(click.BadParameter, match=re.escape(told)):
        _AboveZero().convert(text, None, None)


@pytest.mark.parametrize(
    ("text", "value"), [("5TB", 5), ("800 gb", 0.8), ("4TiB", 4.398046511104), (None, None)]
)
def test_capacity_is_read_with_its_unit(text: str | None, value: float | None) -> None:
    assert terabytes(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["5", "TB", "5 PB", "-5TB", "5TB more"])
def test_invalid_capacity_is_refused(text: str) -> None:
    with pytest.raises(WarehouseError, match="as in 5TB"):
        terabytes(text)


def test_tables_fit_100_columns(release: Path) -> None:
    for asked in (ARRAY, ("--iops", "100000"), ("--latency-us", "300")):
        shown = _run(release, "size", *asked, "--profile", "Database").stdout
        assert shown
        assert max(map(len, shown.splitlines())) <= 100


def test_hidden_designs_are_counted(release: Path) -> None:
    command = ("size", "--iops", "100000", "--profile", "Database")
    listed = len(_rows(release, *command))
    *shown, more = _run(release, *command).stdout.splitlines()
    designs = [line for line in shown[1:] if line[0].isdigit()]
    assert len(designs) == 15 < listed
    assert more == f"and {listed - 15} more; --format csv lists all"
    markdown = _run(release, *command, "--format", "md").stdout.splitlines()
    assert len(markdown) == listed + 2


def test_limits_as_csv_and_markdown(release: Path) -> None:
    command = ("size", *ARRAY, "--profile", "Database", "--format")
    rows = [*csv.DictReader(_run(release, *command, "csv").stdout.splitlines())]
    assert len(rows) == 5
    assert _run(release, *command, "md").stdout.startswith("| ceiling_kind |")


def test_claims_about_the_controller_are_shown(release: Path) -> None:
    shown = _run(release, "size", *ARRAY, "--profile", "Database").stdout
    told = " ".join(shown.split("claims in documents:")[1].split())
    assert "p. 34: PRAID EP400i and PRAID EP420i: higher IOPS than PRAID CP400i" in told
