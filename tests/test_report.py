"""A report is one file with the contents of the marts; it loads nothing else."""

import datetime
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from headroom.analyse.report import Scope
from headroom.analyse.report import report as report_of
from headroom.analyse.report.charts import bars
from headroom.analyse.report.page import Part, cell, columns, html
from headroom.warehouse import Warehouse, WarehouseError
from tests.conftest import ROOT, built_of, refusal, run_headroom
from tests.in_process import run
from tests.lab import write_database_run

SAMPLES = Path("data/samples/fio-virtual-disk-runs")
PAPERS = [
    ROOT / "data/white_papers" / name
    for name in ("demartek-ibm-hp-2009", "fujitsu-raid-controllers-2016")
]
DATABASE = "Database, OLTP 8K (random, 67 % read, 8KiB)"


class _Page(HTMLParser):
    """Headings, table rows by heading, and everything that a browser would load or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.charts: list[str] = []
        self.loaded: list[str] = []
        self.texts: dict[str, list[str]] = {}
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
        elif self._tag in ("p", "text", "h1", "dt") and data.strip():
            self.texts.setdefault(self._heading, []).append(data.strip())
        elif self._tag in ("td", "th") and data.strip():
            self.rows[self._heading][-1][-1] += data.strip()


@cache
def _report(folder: Path, **scope: Any) -> str:
    return report_of(Warehouse(folder), Scope(**scope))


def test_controller_is_compared_with_others_as_printed(release: Path) -> None:
    page = _Page(_report(release, controllers=("ep420i",)))
    streaming = next(heading for heading in page.rows if heading.startswith("Media reader"))
    heads, *rows = page.rows[streaming]
    of_array = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    found = of_array["PRAID EP420i, RAID 5, 24 x SAS-12G-SSD"]
    # RAID Controller Performance 2016, p. 46; 5900 x 2^20 bytes
    assert found["value"] == "≈ 6.19 GB/s"
    assert found["as printed"] == "approx. 5900 MB/s"
    assert found["source"] == "RAID Controller Performance 2016, p. 46"
    others = [array for array in of_array if not array.startswith("PRAID EP420i")]
    relations = [row["compared as"] for row in of_array.values()]
    assert (relations.count("same drives"), relations.count("others"), len(others)) == (5, 5, 10)
    assert streaming in page.charts
    assert page.loaded == []


def test_value_and_ceiling_have_one_unit(release: Path) -> None:
    page = _Page(_report(release, controllers=("9207-8i",)))
    heads, *rows = page.rows["sequential, 0 % read, block not reported"]
    of_array = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    found = of_array["SAS 9207-8i, RAID 5, 3 x Samsung 840 PRO 256GB"]
    assert (found["value"], found["ceiling"]) == ("0.751 GB/s", "0.882 GB/s, drives")


EP420I = """\
controller: PRAID EP420i
raid_level: RAID {level}
drive: SAS-12G-SSD
drive_count: {drives}
"""
# Five systems in one release, named after what is tested in their reports.
SYSTEMS = {
    "mine": EP420I.format(level=5, drives=8),
    "sweep": EP420I.format(level=5, drives=16) + "filesystem: xfs\nos_kernel: 6.1.0\n",
    "printed": EP420I.format(level=0, drives=24),
    "unprinted": EP420I.format(level=6, drives=8),
    "unstated": "",
}
RUNS = {  # IOPS and outstanding I/Os
    "mine": [(22_100, 16), (37_350, 16)],
    "sweep": [(12_392, 2), (37_177, 16), (55_765, 256)],
    "printed": [(37_177, 16), (37_797, 16)],
    "unprinted": [(30_981, 16)],
    "unstated": [(30_981, 16)],
}


@pytest.fixture(scope="module")
def mine(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with two papers and the results of five systems, which are in `lab/`."""
    folder = tmp_path_factory.mktemp("mine")
    number = 0
    for name, runs in RUNS.items():
        for iops, depth in runs:
            write_database_run(folder / f"lab/{name}/run-{number}.json", iops, depth, number)
            number += 1
        if SYSTEMS[name]:
            (folder / f"lab/{name}/headroom.yml").write_text(SYSTEMS[name])
    (folder / "lab/twice").mkdir()
    shutil.copy(next((folder / "lab/mine").glob("*.json")), folder / "lab/twice/run.json")
    other = SYSTEMS["mine"].replace("EP420i", "EP400i")
    (folder / "lab/twice/headroom.yml").write_text(other)
    built = built_of([folder / "lab", *PAPERS], empty, folder / "warehouse")
    release = folder / "release"
    release.mkdir()
    shutil.move(built, release / "headroom.duckdb")
    return folder


def _of(mine: Path, system: str, **scope: Any) -> _Page:
    return _Page(_report(mine / "release", runs=(mine / "lab" / system,), **scope))


def _said(page: _Page) -> str:
    return " ".join(page.texts["Conclusion"])


def test_report_begins_with_the_conclusion(mine: Path) -> None:
    page = _of(mine, "mine")
    # RAID Controller Performance 2016, page 49: up to 133000 IO/s; 29725 are 22.3 % of them
    assert (
        "29.7 kIOPS at 16 outstanding I/Os: 22 % of the ceiling. The controller is the lowest "
        "limit: ≤ 133 kIOPS (RAID Controller Performance 2016, page 49)."
    ) in _said(page)
    assert "2 runs, 69 % apart: measure again." in _said(page)
    assert "120 s a run" in _said(page)
    assert next(iter(page.texts)) == ""
    assert [*page.texts][1:3] == ["Conclusion", "Limits and values"]


def test_one_picture_has_the_limits_and_our_value(mine: Path) -> None:
    page = _of(mine, "mine")
    drawn = page.texts["Limits and values"]
    assert page.charts[0] == "Limits and values"
    names = [text for text in drawn if text.startswith(("our value at", "limit: "))]
    assert names == [
        "our value at 16 outstanding I/Os",
        "limit: controller", "limit: drives", "limit: disk interface", "limit: host interface",
    ]  # fmt: skip
    assert {"29.7 kIOPS", "≤ 133 kIOPS", "225 kIOPS", "793 kIOPS →", "binding limit"} <= {*drawn}
    heads, controller, *_ = page.rows["Limits and values"]
    found = dict(zip(heads, controller, strict=True))
    assert (found["limit"], found["binding"]) == ("controller", "binding")
    assert "up to 133000 IO/s (RAID Controller Performance 2016, p. 49)" in found["from"]


def test_most_similar_arrays_come_first(mine: Path) -> None:
    page = _of(mine, "mine")
    heads, *rows = page.rows[DATABASE]
    of_array = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    same = of_array["PRAID EP420i, RAID 5, SSDs, count not reported"]
    assert same["value"] == same["ceiling"].split(",")[0] == "≤ 133 kIOPS"
    order = list(dict.fromkeys(row["compared as"] for row in of_array.values()))
    assert order == [
        "our runs", "same controller and RAID level", "same controller", "same drives", "others",
    ]  # fmt: skip
    assert {row[0] for row in rows if "SAS-12G-SSD" in row[0] and row[1] == "others"} == set()
    assert "remark" not in heads


def test_the_sections_do_not_contradict_each_other(mine: Path) -> None:
    page = _of(mine, "mine")
    assert (
        page.texts[""][1] == "Our own values: 2, from 2 files. Published values: 7, from 1 paper."
    )
    assert len(page.rows["Papers"]) == 1 + 1
    everything = " ".join(text for texts in page.texts.values() for text in texts)
    cells = [text for rows in page.rows.values() for row in rows for text in row]
    assert "300 kIOPS" not in everything + " ".join(cells)
    assert "knee" not in everything
    apart = [row for row in page.rows.get("Findings", []) if "apart" in row[0]]
    assert apart == []  # the conclusion says it


def test_sweep_reports_its_best_load(mine: Path) -> None:
    said = _said(_of(mine, "sweep"))
    assert "55.8 kIOPS at 256 outstanding I/Os" in said
    assert "The highest of 2 to 256 outstanding I/Os. One run: repeat it to see the spread." in said
    assert "kernel 6.1.0, filesystem xfs, measured 2026-11-21" in said


def test_published_value_of_the_same_array_is_shown(mine: Path) -> None:
    page = _of(mine, "printed")
    # page 42: about 250000 IO/s of these 24 drives; page 49: up to 248000 of any
    assert "15 % of the ceiling" in _said(page)
    assert (
        "Published: ≈ 250 kIOPS, PRAID EP420i, RAID 0, 24 x SAS-12G-SSD "
        "(RAID Controller Performance 2016, page 42)."
    ) in _said(page)
    assert "2 runs, 2 % apart." in _said(page)
    named = [row[:3] for row in page.rows[DATABASE] if row[0].endswith("RAID 0, 24 x SAS-12G-SSD")]
    assert ["PRAID EP420i, RAID 0, 24 x SAS-12G-SSD", "our runs", "37.5 kIOPS"] in named
    drawn = page.texts[DATABASE]
    assert {"37.5 kIOPS", "≈ 250 kIOPS"} <= {*drawn}
    assert drawn.count("PRAID EP420i, RAID 0, 24 x SAS-12G-SSD") == 2  # a row each
    other = "same controller and RAID level"
    assert ["PRAID EP420i, RAID 0, 24 x SAS-12G-SSD", other, "≈ 250 kIOPS"] in named


def test_unknown_limits_name_the_missing_fields(mine: Path) -> None:
    unprinted = _said(_of(mine, "unprinted"))
    assert "No paper prints a value of PRAID EP420i, RAID 6 at this load profile." in unprinted
    assert (
        "31 kIOPS at 16 outstanding I/Os: ≥ 23 % of the ceiling. The controller is the lowest "
        "known limit: ≤ 133 kIOPS (RAID Controller Performance 2016, page 49, of a RAID level that "
        "costs it less than RAID 6)."
    ) in unprinted
    assert "Limits not known" not in unprinted
    page = _of(mine, "unstated")
    assert "31 kIOPS at 16 outstanding I/Os. No limit is known." in _said(page)
    assert "Add controller, raid_level, drive, drive_count to " in _said(page)
    assert "Limits and values" not in page.texts


def test_file_at_two_places_uses_the_requested_one(mine: Path) -> None:
    assert len(_of(mine, "twice").rows["Our results"]) == 1 + 1
    assert _of(mine, "twice").rows["Our results"][1][0] == "PRAID EP400i, RAID 5, 8 x SAS-12G-SSD"
    assert len(_of(mine, "mine").rows["Our results"]) == 1 + 1


def test_options_narrow_down_together(mine: Path) -> None:
    page = _of(mine, "mine", controllers=("ep420i",), profile="Database")
    assert page.texts[""][0] == f"Results in {mine}/lab/mine beside PRAID EP420i: {DATABASE}"
    assert [heading for heading in page.rows if " read, " in heading] == [DATABASE]
    assert [text for text in page.texts["Conclusion"] if "RAID 6" in text] == []
    of_controller = _Page(_report(mine / "release", controllers=("ep420i",), profile="Database"))
    assert [heading for heading in of_controller.rows if heading.startswith(DATABASE[:8])] == [
        DATABASE
    ]
    assert "RAID 6" in _said(of_controller)
    with pytest.raises(WarehouseError, match="unknown load profile; the nearest"):
        _of(mine, "mine", profile="nosuch")
    with pytest.raises(WarehouseError, match=r"Web server .*: no valid results"):
        _of(mine, "mine", profile="Web server")


def test_report_states_its_one_definition_of_megabyte(release: Path) -> None:
    page = _Page(_report(release, controllers=("ep420i",)))
    assert "A GB/s is 10^9 bytes a second" in page.texts[""][1]
    heads, *papers = page.rows["Papers"]
    assert {row[heads.index("bytes in a printed MB")] for row in papers} == {"1,048,576"}
    charts = [text for texts in page.texts.values() for text in texts]
    assert not [text for text in charts if re.fullmatch(r"[\d.]+ MB/s", text)]


def test_charts_are_as_wide_as_the_text(mine: Path) -> None:
    text = _report(mine / "release", runs=(mine / "lab",))
    widths = {round(float(width)) for width in re.findall(r"<svg [^>]*?width=\"([\d.]+)", text)}
    assert len(re.findall("<svg ", text)) > 4
    assert min(widths) > 1080 and max(widths) < 1180
    assert "svg { display: block; width: 100%" in text


def test_own_runs_are_compared_with_single_drives(release: Path) -> None:
    page = _Page(_report(release, runs=(ROOT / SAMPLES,)))
    assert {"Conclusion", "Our results", "Tail latency", "Repeated runs"} <= {
        *page.rows,
        *page.charts,
        *page.texts,
    }
    files = [row[0] for row in page.rows["Files"][1:]]
    assert files and all(str(SAMPLES) in file for file in files)
    database = next(heading for heading in page.rows if heading.startswith("Database"))
    assert all("1 x" in row[0] for row in page.rows[database][1:])


def test_report_on_everything_and_on_the_last_night(release: Path) -> None:
    everything = _Page(_report(release))
    assert {"Findings", "Claims", "Papers"} <= set(everything.rows)
    assert any(heading.startswith("Response curve") for heading in everything.charts)
    night = _Page(_report(release, is_last_night=True))
    assert night.rows["Last night"][1][1] == "published"


def test_ambiguous_or_unknown_name_is_refused(release: Path) -> None:
    with pytest.raises(WarehouseError, match=r"(?s)PRAID CP400i.*PRAID EP400i"):
        _report(release, controllers=("praid",))
    with pytest.raises(WarehouseError, match="nosuch"):
        _report(release, controllers=("nosuch",))
    with pytest.raises(WarehouseError, match=r"elsewhere: no run was read from there; the nearest"):
        _report(release, runs=(Path("elsewhere"),))


def test_the_command_writes_a_file(warehouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    options = ("--runs", SAMPLES, "--controller", "EP420i", "--profile", "Database", "--last-night")
    done = run_headroom(warehouse, "report", target, *options)
    assert (done.returncode, done.stdout) == (0, f"wrote {target}\n")
    assert target.read_text().startswith("<!doctype html>")


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


def test_a_report_is_not_written_over_the_name_of_its_pdf(release: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.pdf"
    assert "add --pdf, which writes both" in refusal(run(release, "report", target))
    assert not target.exists()


def test_missing_browser_is_reported_with_a_remedy(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "needs Chromium or Chrome; print" in refusal(
        run(release, "report", tmp_path / "r.html", "--last-night", "--pdf")
    )


def test_texts_are_escaped_and_empty_parts_omitted() -> None:
    hostile = {"array": "<script>alert(1)</script>", "value": None, "IOPS": 1234.5}
    page = _Page(html("a & b", "r", "f", [Part("One", "", [hostile]), Part("Two", "", [])]))
    assert page.rows["One"] == [["array", "IOPS"], ["<script>alert(1)</script>", "1,234"]]
    assert page.loaded == []
    assert "Two" not in page.rows


def test_names_in_charts_are_escaped() -> None:
    hostile = {
        "array": "<script>alert('1')</script>\\\"",
        "value": 1.0,
        "label": "</svg>",
        "kind": "chosen",
    }
    drawn = bars([hostile], "iops")
    assert "<script" not in drawn
    assert drawn.count("</svg>") == 1


def test_cells_are_formatted_for_people() -> None:
    rows = [{"a": None, "b": 1, "c": None}, {"a": "x", "b": None, "c": None}]
    assert columns(rows) == {"a": False, "b": True}
    assert cell(None, "a") == "–"
    assert cell(308.2, "mean latency") == "308 µs"
    assert cell(18_900, "mean latency") == "18.9 ms"
    assert cell(-0.2816, "change") == "-28.2%"
    assert cell(datetime.datetime(2026, 11, 21, 17, 50, 11), "measured") == "2026-11-21 17:50"
