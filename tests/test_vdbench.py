"""vdbench's files, against a second reading by columns, and what is wrong with them."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from headroom.analyse.compare import comparisons
from headroom.analyse.name_search import Subject
from ingest.common.errors import InputError
from ingest.find.other_formats import refuse_quotations
from ingest.parsers import vdbench
from ingest.parsers.generic import TABLES
from tests.conftest import ROOT, built_of
from tests.test_run_verdicts import fio_run

SAMPLES = sorted((ROOT.parent / "shared/other_tools").glob("*dbench*"))
FLAT = ROOT / "tests/golden/vdbench/flatfile.html"


def _read(path: Path, data: bytes | None = None) -> list[dict[str, Any]]:
    rows = vdbench.parse(path, path.read_bytes() if data is None else data)["generic_results"]
    return [dict(zip(TABLES["generic_results"], row, strict=True)) for row in rows]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name[-40:])
def test_averages_are_those_of_a_second_reading(path: Path) -> None:
    """Rate, MB/s and response time are the first, second and last of five columns of a page, and
    the fifth, sixth and ninth of a flat file."""
    lines = path.read_text(errors="replace").replace('"', "").replace(",", " ").splitlines()
    averages = [line.split() for line in lines if " avg_" in line]
    places = (4, 5, 8) if "flatfile" in path.name else (2, 3, 6)
    found = _read(path)
    assert len(found) == len(averages)
    for row, cells in zip(found, averages, strict=True):
        rate, mebibytes, milliseconds = (float(cells[place]) for place in places)
        assert row["iops"] == rate
        assert row["bytes_per_second"] == pytest.approx(mebibytes * 1024 * 1024)
        assert row["latency_mean_us"] == pytest.approx(milliseconds * 1000)
        if row["block_bytes"]:
            rounding = 0.0051 if places[0] == 2 else 0.0002
            assert rate * row["block_bytes"] / 2**20 == pytest.approx(
                mebibytes, abs=rounding + 0.005 * row["block_bytes"] / 2**20
            )


@pytest.mark.parametrize("folder", sorted({path.name.rpartition("-")[0] for path in SAMPLES}))
def test_files_of_one_run_have_one_key(folder: str) -> None:
    keys = [
        {row["run_key"] for row in _read(path)}
        for path in SAMPLES
        if path.name.startswith(folder + "-")
    ]
    assert all(one == keys[0] for one in keys)


def test_a_page_is_read_though_pages_are_texts_by_people() -> None:
    refuse_quotations("flatfile.html", FLAT.read_bytes())


def test_a_run_without_its_average_is_an_error() -> None:
    text = FLAT.read_text()
    torn = text[: text.index("23:59:59.103")].encode()
    with pytest.raises(
        InputError, match=r"flatfile\.html: has no line avg_N-M: vdbench ended early"
    ):
        _read(FLAT, torn)


def test_a_torn_end_costs_only_its_run() -> None:
    text = FLAT.read_text()
    torn = text[: text.index("00:00:02.110") + 40].encode()
    assert [row["position"] for row in _read(FLAT, torn)] == ["line 12 rd=oltp"]


def test_a_file_system_workload_is_named() -> None:
    data = FLAT.read_bytes().replace(b"MB/sec", b"mb_tot")
    with pytest.raises(InputError, match="7: is of a file system workload"):
        _read(FLAT, data)


@pytest.mark.parametrize("text", ["n/a", "nan", "1e999", "9" * 400, "-", "1,5"])
def test_what_is_no_number_is_not_reported(text: str) -> None:
    data = FLAT.read_text().replace(" 14.9000", f" {text}")
    assert _read(FLAT, data.encode())[0]["latency_mean_us"] is None


def test_tools_are_compared_at_one_load(empty: Path, tmp_path: Path) -> None:
    """fio and vdbench on one drive: random reads of 4 KiB, 32 outstanding."""
    lab = tmp_path / "lab"
    fio_run(lab, "reads", 1_764_000_000, 60, "randread", 300e6)
    (lab / "headroom.yml").write_text("server: bench\ndrive: lab SSD\ndrive_count: 1\n")
    text = FLAT.read_text().replace("   8192", "   4096").replace("16.0000    70", "32.0000   100")
    (lab / "flatfile.html").write_text(text)
    building = built_of([lab], empty, tmp_path / "warehouse")
    with duckdb.connect(building, read_only=True) as connection:
        connection.execute("use building.marts")
        tools = (Subject("tool", "fio"), Subject("tool", "vdbench"))
        found = comparisons(connection, *tools).select("quantity, factor_label, differences")
        assert (
            "IOPS",
            "0.015 x",
            "workers 1 and 32; job jobs[0] reads and rd=oltp",
        ) in found.fetchall()
