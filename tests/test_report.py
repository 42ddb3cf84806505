"""A report is one file with what the marts say, and nothing that it would have to load."""

import datetime
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from headroom.report import report
from headroom.report.charts import bars
from headroom.report.page import cell, columns, html
from headroom.report.parts import Part
from headroom.warehouse import Warehouse, WarehouseError
from tests.conftest import ROOT, run_headroom

SAMPLES = Path("data/samples/fio-virtual-disk-runs")


class _Page(HTMLParser):
    """Headings, table rows by heading, and whatever a browser would load or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.charts: list[str] = []
        self.loaded: list[str] = []
        self._tag = self._heading = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        if tag == "tr":
            self.rows.setdefault(self._heading, []).append([])
        elif tag in ("td", "th"):
            self.rows[self._heading][-1].append("")
        elif tag == "svg":
            self.charts.append(self._heading)
        elif tag in ("script", "link", "img", "iframe", "image"):
            self.loaded.append(tag)
        self.loaded += [
            str(value)
            for name, value in attributes
            if name in ("src", "href", "xlink:href") and not str(value).startswith("#")
        ]

    def handle_data(self, data: str) -> None:
        if self._tag == "h2" and data.strip():
            self._heading = data
        elif self._tag in ("td", "th") and data.strip():
            self.rows[self._heading][-1][-1] += data.strip()


def test_a_controller_beside_others_as_the_paper_prints_it(release: Path) -> None:
    page = _Page(report(Warehouse(release), controllers=["ep420i"]))
    streaming = next(heading for heading in page.rows if heading.startswith("Media reader"))
    heads, *rows = page.rows[streaming]
    of_array = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    found = of_array["PRAID EP420i, RAID 5, 24 x SAS-12G-SSD"]
    # RAID Controller Performance 2016, p. 46; 5900 x 2^20 bytes
    assert found["value"] == "≈ 6.19 GB/s"
    assert found["as printed"] == "approx. 5900 MB/s"
    assert found["source"] == "RAID Controller Performance 2016, p. 46"
    others = [array for array in of_array if not array.startswith("PRAID EP420i")]
    assert len(others) == 5
    assert streaming in page.charts
    assert page.loaded == []


def test_our_own_runs_stand_beside_single_drives(release: Path) -> None:
    page = _Page(report(Warehouse(release), runs=[ROOT / SAMPLES]))
    assert {"Our newest runs", "Tail latency", "Repeated runs"} <= {*page.rows, *page.charts}
    files = [row[0] for row in page.rows["Files"][1:]]
    assert files and all(str(SAMPLES) in file for file in files)
    database = next(heading for heading in page.rows if heading.startswith("Database"))
    assert all("1 x" in row[0] for row in page.rows[database][1:])


def test_everything_and_the_last_night(release: Path) -> None:
    everything = _Page(report(Warehouse(release)))
    assert {"Findings", "Claims", "Papers"} <= set(everything.rows)
    assert any(heading.startswith("Response curve") for heading in everything.charts)
    night = _Page(report(Warehouse(release), is_last_night=True))
    assert night.rows["Last night"][1][1] == "published"


def test_a_name_that_stands_for_several_or_nothing_is_refused(release: Path) -> None:
    with pytest.raises(WarehouseError, match=r"(?s)PRAID CP400i.*PRAID EP400i"):
        report(Warehouse(release), controllers=["praid"])
    with pytest.raises(WarehouseError, match="nosuch"):
        report(Warehouse(release), controllers=["nosuch"])
    with pytest.raises(WarehouseError, match="no published results from there"):
        report(Warehouse(release), runs=[Path("elsewhere")])


def test_the_command_writes_a_file_and_takes_one_subject(warehouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    done = run_headroom(warehouse, "report", target, "--runs", SAMPLES)
    assert done.stdout == f"wrote {target}\n"
    assert target.read_text().startswith("<!doctype html>")
    refused = run_headroom(warehouse, "report", target, "--runs", SAMPLES, "--last-night")
    assert refused.returncode == 2
    assert "one of" in refused.stderr


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium")
def test_a_browser_logs_nothing(warehouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    run_headroom(warehouse, "report", target)
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    opened = subprocess.run(
        [*browser, "--dump-dom", target.as_uri()], capture_output=True, text=True, timeout=60
    )
    assert "</html>" in opened.stdout
    assert ":CONSOLE:" not in opened.stderr


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium")
def test_a_pdf_is_printed_by_chromium(warehouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    run_headroom(warehouse, "report", target, "--controller", "CP400i", "--pdf")
    assert target.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def test_no_browser_is_said_with_what_to_do(
    warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = run_headroom(warehouse, "report", tmp_path / "r.html", "--last-night", "--pdf")
    assert refused.returncode == 2
    assert "needs Chromium or Chrome; print" in refused.stderr


def test_texts_are_no_markup_and_parts_without_content_are_left_out() -> None:
    hostile = {"array": "<script>alert(1)</script>", "value": None, "IOPS": 1234.5}
    page = _Page(html("a & b", "r", "f", [Part("One", "", [hostile]), Part("Two", "", [])]))
    assert page.rows["One"] == [["array", "IOPS"], ["<script>alert(1)</script>", "1,234"]]
    assert page.loaded == []
    assert "Two" not in page.rows


def test_names_in_charts_are_no_markup() -> None:
    hostile = {
        "array": "<script>alert(1)</script>",
        "value": 1.0,
        "label": "</svg>",
        "kind": "chosen",
    }
    drawn = bars([hostile], "iops")
    assert "<script" not in drawn
    assert drawn.count("</svg>") == 1


def test_cells_are_for_people() -> None:
    rows = [{"a": None, "b": 1, "c": None}, {"a": "x", "b": None, "c": None}]
    assert columns(rows) == {"a": False, "b": True}
    assert cell(None, "a") == "–"
    assert cell(308.2, "mean latency") == "308 µs"
    assert cell(18_900, "mean latency") == "18.9 ms"
    assert cell(-0.2816, "change") == "-28.2%"
    assert cell(datetime.datetime(2026, 11, 21, 17, 50, 11), "measured") == "2026-11-21 17:50"
