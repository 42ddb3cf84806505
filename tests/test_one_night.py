"""One night over all kinds of results that are generated or were measured elsewhere."""

import datetime
import hashlib
import json
import re
import shlex
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from headroom.analyse.compare import comparisons
from headroom.analyse.name_search import Subject
from headroom.analyse.tools import compare_tools
from headroom.warehouse import Warehouse
from tests.conftest import MINIMAL_PAPER, ROOT, Ask, asking, first_night, run_headroom
from tests.in_process import printed_rows, run
from tests.lab import DATABASE, FIO_RUN
from tests.test_changes import FIRST_NIGHT, noisy_nights
from tests.test_corpus import CORPUS
from tests.test_published_sweeps import DOCUMENT, VALUES, differing
from tests.test_run_verdicts import fio_run

SAMPLE = ROOT / "data/samples/fio-virtual-disk/2026-11-21-libaio.json"
GOLDEN = ROOT / "tests/golden"
PROCESSES = GOLDEN / "fio/fio-3.33-two-processes.json"
OWN_DEFINITIONS = """
root: true
drive: PM1643 960GB
controllers:
  - {controller: praid-ep420i, vendor: Not Fujitsu, form_factor: from the sidecar, cache: 3 GB}
  - {controller: Own 9000, vendor: Lab, host_interface: Ethernet 25G, host_lane_count: 4}
  - {controller: acme-raid-9, vendor: Lab, form_factor: low profile}
  - &lab {controller: Dollar 8i, disk_interfaces: SAS 12G, disk_port_count: 8, max_drive_count: 16,
          host_interface: PCIe 3.0 x8, raid_levels: [RAID 0, RAID 5], price: 400,
          price_currency: USD, price_by: a shop, power_watt: 11.2, rated_by: its manual}
  - {<<: *lab, controller: Expanded 8i, price_currency: EUR}
  - {<<: *lab, controller: Free 8i, price: null, power_watt: null}
drives:
  - {drive: PM1643 960GB, capacity: 960 GB, drive_media: SSD}
files:
  - {glob: a.json, controller: own-9000, raid_level: RAID 5, outstanding_io_count: 77}
  - {glob: b.json, controller: Own 9OOO}
  - {glob: d.json, controller: ACME Raid 9, raid_level: r5}
"""
# docs/own-hardware.md: controller and drive with price and power, a command and its output.
HARDWARE = (ROOT / "docs/own-hardware.md").read_text()
((_PRICED, _SIZED, _PRINTED),) = re.findall(
    r"```yaml\n(controllers:\n.*?)```\n.*?```console\n\$ headroom (size .*?)\n(.*?)```",
    HARDWARE,
    re.DOTALL,
)
DRIVES = f"""
root: true
drive: Alone
{_PRICED}  - {{drive: Alone, drive_media: SSD}}
  - {{drive: Rated, drive_media: SSD, rated_random_read_iops: 90000, rated_by: its data sheet}}
files:
  - {{glob: one.json, drive_count: 1}}
  - {{glob: four.json, drive_count: 4, raid_level: RAID 0}}
  - {{glob: rated.json, drive_count: 4, raid_level: RAID 0, drive: Rated}}
"""
# The fields that `headroom status` asks for, one after the other, until limits are known.
REMEDIES = ("drive_interface: SAS 12G", "drive_count: 8", "raid_level: RAID 5")
SWEEPS = CORPUS / "fio_sweeps"
SWEPT_FILES = {
    "P420i": "*-P420i_RAID0_4x_SSD-*.json",
    "M1015": "*-IBM_M1015-8x2TBRAID5MDADM-*.json",
    "HighPoint": "*-HIGHPOINT-RAID5*.json",
}
SIDECARS = {
    "P420i": "{server: HPDL380G8, controller: P420i, raid_level: RAID 0, drive_count: 4}",
    "M1015": "{vendor: IBM, controller: M1015, raid_level: RAID 5, drive_count: 8}",
    "HighPoint": "{vendor: HighPoint, controller: HighPoint, raid_level: RAID 5, drive_count: 8}",
}
Key = tuple[str, str, float, int, int]
# With `size=64m rw=randrw rwmixread=70 bs=4k ioengine=psync runtime=2 time_based numjobs=2
# write_hist_log=mixed log_hist_msec=190 log_hist_coarseness=4` fio 3.33 wrote two logs. For
# both, and for their lines of each direction alone, fio's own tool printed these percentiles:
#     fio-histo-log-pctiles.py --bucket-bits 2 --time-quantum 1000 --percentiles 50 95 99 99.9 --
# The logs merge 16 bins into one: the tool reads bins of 2 bits, whose latencies are a 16th.
PRINTED_BY_FIOS_TOOL = {
    "read": (1.5842574712643689, 4.736966404864454, 7.721994343434338, 207.28217600000235),
    "write": (0.15045945043942596, 0.31709090909090903, 0.705551515151515, 3.645440000000451),
    "mixed": (0.15575561194612533, 4.360580860759494, 6.677524305949005, 166.36015709091822),
}


@dataclass
class OneNight:
    lab: Path
    papers: Path
    warehouse: Path
    result: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def against(published: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The rules that speak against a sample, each with a reason to mute it."""
    rules = published.execute(
        "select rule from marts.fct_run_verdicts inner join marts.measurements "
        "using (measurement_id) where source_path = $1 "
        "and (verdict = 'failed' or verdict = 'insufficient data' and is_required)",
        [str(DATABASE.relative_to(ROOT))],
    ).fetchall()
    return {rule: f"{rule}: “as we want it”" for (rule,) in rules}


@pytest.fixture(scope="module")
def night(
    empty: Path, against: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> OneNight:
    folder = tmp_path_factory.mktemp("one-night")
    lab = folder / "lab"
    _write_series(lab / "series")
    _write_own_definitions(lab)
    _write_odd_runs(lab / "odd")
    _write_parts(lab / "parts")
    _write_drives(lab / "drives")
    _write_twins(lab / "twins")
    _write_alike(lab / "alike")
    _write_remedies(lab / "remedies")
    _write_refused(lab / "refused")
    _write_logs(lab / "logs")
    _copy_sweeps(lab / "sweeps")
    _write_tools(lab / "tools")
    _write_muted(lab / "verdicts", against)
    papers = folder / "papers"
    for name, controller in (("1", "Acme RAID-9"), ("2", "ACME raid 9"), ("bad", "Acme")):
        _write_paper(papers / name, f"paper-{name}", controller)
    sheet = papers / "bad/measurements.csv"
    sheet.write_text(sheet.read_text().replace("about 240000 IO/s", "plenty"))
    result = first_night(empty, folder / "warehouse", lab, MINIMAL_PAPER, papers)
    return OneNight(lab, papers, folder / "warehouse", result)


@pytest.fixture
def released(night: OneNight) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(night.warehouse / "headroom.duckdb", read_only=True) as connection:
        yield connection


@pytest.fixture
def ask(released: duckdb.DuckDBPyConnection) -> Ask:
    return asking(released)


def _write_series(folder: Path) -> None:
    """Thirty nights with a step after the twentieth."""
    for night, value in enumerate(noisy_nights(30, factor=0.9, since=20)):
        _write_night(folder, night, value / 1000)


def _write_night(folder: Path, night: int, level: float) -> None:
    """The sample's first job as fio would have printed it that night."""
    run = json.loads(SAMPLE.read_text())
    ended_at = FIRST_NIGHT + datetime.timedelta(days=night)
    run["timestamp_ms"] = _unix_seconds(ended_at) * 1000
    run["jobs"] = run["jobs"][:1]
    read = run["jobs"][0]["read"]
    for key in ("iops", "bw", "bw_bytes"):
        read[key] = type(read[key])(read[key] * level)
    percentiles = read["clat_ns"]["percentile"]
    read["clat_ns"]["percentile"] = {name: int(ns / level) for name, ns in percentiles.items()}
    path = folder / f"{ended_at:%Y-%m-%d}" / "run.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(run))


def _unix_seconds(time: datetime.datetime) -> int:
    return int(time.replace(tzinfo=datetime.UTC).timestamp())


def _dated(run: str) -> str:
    """Move the run to the first night, to within 1000 s."""
    night = str(_unix_seconds(FIRST_NIGHT))[:7]
    return re.sub(r'("timestamp\w*" ?: )\d{7}', rf"\g<1>{night}", run)


def _write_own_definitions(lab: Path) -> None:
    """Runs with a sidecar that defines its hardware, and one whose sidecar describes nothing."""
    # A newer run would make the step of the series an old one.
    text = _dated(FIO_RUN.read_text())
    for folder, sidecar in (("own", OWN_DEFINITIONS), ("none", "root: true\n")):
        (lab / folder).mkdir()
        (lab / folder / "headroom.yml").write_text(sidecar)
    for name in ("own/a.json", "own/b.json", "own/d.json", "none/c.json"):
        (lab / name).write_text(text.replace("fio-3.33", f"fio-3.33-{name}"))


def _write_paper(folder: Path, document_id: str, controller: str) -> None:
    """The minimal paper with its controller B under another name."""
    shutil.copytree(MINIMAL_PAPER, folder)
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_text().replace("minimal-paper", document_id)
            path.write_text(re.sub(r"\bB\b", controller, text))


def _write_odd_runs(folder: Path) -> None:
    """Jobs that measure nothing useful, as labs have them among their runs."""
    folder.mkdir()
    run = json.loads(_dated(FIO_RUN.read_text()))
    template = run["jobs"][0]
    jobs = [
        _odd_job(template, "rare", {"rw": "randread"}, io_count=1, runtime_ms=601_000),
        _odd_job(template, "trims", {"rw": "trimwrite", "bs": "2g"}, block=65536),
        _odd_job(template, "finish", {"rw": "read"}, io_count=1, runtime_ms=1, job_runtime=4),
        _odd_job(template, "fill-prep", {"rw": "write"}, io_count=40, runtime_ms=3, job_runtime=9),
        _odd_job(template, "stopped", {"rw": "read", "time_based": "1", "runtime": "20"}),
        _odd_job(template, "nanoseconds", {"rw": "randread"}, latency_ns=5_000_000_000),
    ]
    # one after the other, as with stonewall
    run["jobs"] = [job | {"groupid": number} for number, job in enumerate(jobs)]
    (folder / "odd.json").write_text(json.dumps(run))


def _write_drives(folder: Path) -> None:
    """Random reads of 1000 IOPS on one drive, on four of them, and on four with a data sheet."""
    folder.mkdir()
    (folder / "headroom.yml").write_text(DRIVES)
    run = json.loads(_dated(FIO_RUN.read_text()))
    template = run["jobs"][0]
    for name in ("one", "four", "rated"):
        run["jobs"] = [_odd_job(template, name, {"rw": "randread", "bs": "4k"}, block=4096)]
        (folder / f"{name}.json").write_text(json.dumps(run))


def _odd_job(
    template: dict[str, Any],
    name: str,
    options: dict[str, str],
    *,
    io_count: int = 5_000,
    block: int = 8192,
    runtime_ms: int = 5_000,
    job_runtime: int | None = None,
    latency_ns: int = 150_000,
) -> dict[str, Any]:
    """The template's job with one direction and these numbers."""
    none = template["trim"]
    seconds = runtime_ms / 1000
    size = io_count * block
    did = none | {
        "io_bytes": size, "io_kbytes": size // 1024, "bw_bytes": int(size / seconds),
        "bw": int(size / seconds / 1024), "iops": io_count / seconds, "runtime": runtime_ms,
        "total_ios": io_count,
        "lat_ns": {"min": latency_ns, "max": latency_ns, "mean": latency_ns, "stddev": 0},
    }  # fmt: skip
    read = {"read": none, "write": did} if "write" in options["rw"] else {"read": did}
    asked = template["job options"] | {"iodepth": "1", "name": name} | options
    if "runtime" not in options:
        asked.pop("runtime")
    return template | {"write": none} | read | {
        "jobname": name, "job options": asked, "job_runtime": job_runtime or runtime_ms,
    }  # fmt: skip


def _write_parts(folder: Path) -> None:
    """Runs of several processes: two, one twice, and two with histogram logs; and a killed run."""
    folder.mkdir()
    shutil.copy(PROCESSES, folder / "processes.json")
    shutil.copy(GOLDEN / "fio/fio-3.33-killed.json", folder / "killed.json")
    shutil.copy(GOLDEN / "fio/fio-3.33-histogram-logs.json", folder / "mixed.json")
    for log in (GOLDEN / "fio_log").glob("mixed_clat_hist.*.log"):
        shutil.copy(log, folder)
    run = json.loads(PROCESSES.read_text())
    run["jobs"] = [run["jobs"][0]] * 2
    (folder / "twins.json").write_text(json.dumps(run))
    for path in folder.glob("*.json"):
        path.write_text(_dated(path.read_text()))


def _write_twins(folder: Path) -> None:
    """One run and its log in three folders: two described differently, one not described."""
    run = json.loads(_dated(FIO_RUN.read_text()).replace("fio-3.33", "fio-3.33-twins"))
    run["jobs"][0]["job options"]["write_iops_log"] = "run"
    of_drives = "drive: PM1643 960GB, raid_level: RAID"
    for name, says in (("a", "root: true"), ("b", f"{of_drives} 5"), ("c", f"{of_drives} 6")):
        (folder / name).mkdir(parents=True)
        (folder / name / "headroom.yml").write_text(f"{{{says}}}")
        (folder / name / "run.json").write_text(json.dumps(run))
        (folder / name / "run_iops.1.log").write_text("500, 120, 0, 0\n1000, 130, 0, 0\n")


def _write_alike(folder: Path) -> None:
    """Two runs, made so that their checksums have the same first 12 digits."""
    folder.mkdir()
    for name in ("14296421", "36581608"):
        (folder / f"{name}.json").write_text(
            '{"fio version": "fio-3.33", "timestamp": 1700000000, "time": "x", "jobs": '
            f'[{{"jobname": "{name}", "groupid": 0, "error": 0, "job options": '
            '{"rw": "randread", "bs": "4k", "iodepth": "8"}, "read": {"io_bytes": 4096000, '
            '"total_ios": 1000, "bw_bytes": 4096000, "iops": 1000.0, "runtime": 1000}, '
            '"write": {"io_bytes": 0, "total_ios": 0, "iops": 0.0, "runtime": 0}}]}'
        )


def _write_remedies(folder: Path) -> None:
    """A run described by none, one, two and all three of the fields that its ceiling needs."""
    for count in range(len(REMEDIES) + 1):
        (folder / f"{count}").mkdir(parents=True)
        run = _dated(DATABASE.read_text().replace("fio-3.33", f"fio-3.33-remedy-{count}"))
        (folder / f"{count}/run.json").write_text(run)
        if count:
            (folder / f"{count}/headroom.yml").write_text("\n".join(REMEDIES[:count]))


def _write_refused(folder: Path) -> None:
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.json").write_text("notes")
        (folder / f"{number}.go").write_text("package lab")


def _write_logs(folder: Path) -> None:
    """Logs whose run is missing."""
    folder.mkdir()
    for kind, value in (("bw", 410), ("iops", 420)):
        (folder / f"db_{kind}.1.log").write_text(f"1000, 400, 0, 0, 0\n2000, {value}, 0, 0, 0\n")


def _copy_sweeps(folder: Path) -> None:
    for array, pattern in SWEPT_FILES.items():
        (folder / array).mkdir(parents=True)
        (folder / array / "headroom.yml").write_text(SIDECARS[array])
        for file in SWEEPS.glob(pattern):
            shutil.copy(file, folder / array)


def _write_tools(folder: Path) -> None:
    """fio and vdbench on one drive: random reads of 4 KiB, 32 outstanding."""
    fio_run(folder, "reads", 1_764_000_000, 60, "randread", 300e6)
    (folder / "headroom.yml").write_text("server: bench\ndrive: lab SSD\ndrive_count: 1\n")
    text = (GOLDEN / "vdbench/flatfile.html").read_text()
    text = text.replace("   8192", "   4096").replace("16.0000    70", "32.0000   100")
    (folder / "flatfile.html").write_text(text)


def _write_muted(folder: Path, against: dict[str, str]) -> None:
    """A sample, once with all rules muted that speak against it."""
    for name, says in (("muted", {"server": "A", "mute": against}), ("plain", {"server": "B"})):
        (folder / name).mkdir(parents=True)
        for path in DATABASE.parent.glob("*database*"):
            (folder / name / path.name).write_text(_dated(path.read_text()))
        (folder / name / "headroom.yml").write_text(yaml.safe_dump(says, allow_unicode=True))


def test_every_result_is_loaded(night: OneNight) -> None:
    found = [one for kind in ("json", "log", "html") for one in night.lab.rglob(f"*.{kind}")]
    copies = 4 + 5  # of the twins, of the muted run, and of their logs
    loaded = len(found) - 3 - copies + 3  # minus refused files, plus papers
    counts = f"{loaded} loaded, 0 unchanged, {copies} copies, 4 quarantined, 3 without results"
    assert f"files: {counts}\n" in night.result.stdout


def test_night_prints_each_fact_once_and_logs_every_path(night: OneNight) -> None:
    told = night.result.stdout
    lines = [line for line in told.splitlines() if not line.startswith("    ")]  # rows of checks
    assert len(lines) == len({*lines})
    assert told.count("4 quarantined") == told.count("is not JSON") == 1
    assert told.count("no results: 3 .go") == 1
    assert len(re.findall(r"^changes: |^last night\b", told, re.MULTILINE)) == 2
    assert len(re.findall(r"headroom-\w+\.duckdb", told)) == 1
    log = (night.warehouse / "nightly.log").read_text().splitlines()
    logged = [json.loads(line) for line in log]
    (refused,) = (line for line in logged if "is not JSON" in line.get("reason", ""))
    assert refused["places"] == [f"{night.lab}/refused/{number}.json" for number in range(3)]
    assert {".go": 3} in (line.get("kinds") for line in logged)
    assert logged[-1]["event"] == "published"
    status = run(night.warehouse, "status").stdout
    assert re.search(r"^ +3 +3 \.go$", status, re.MULTILINE)


def test_bad_paper_does_not_affect_the_night(night: OneNight, ask: Ask) -> None:
    told = f"{night.papers}/bad/measurements.csv:2: cannot read a value in 'plenty'"
    assert told in night.result.stdout
    documents = "select document_id from marts.dim_documents where document_id like 'paper-%'"
    assert sorted(ask(documents)) == [("paper-1",), ("paper-2",)]
    assert ask(
        "select status, file_quarantined_count from quality.nightly_runs where is_latest"
    ) == [("published", 4)]


def test_logs_without_their_run_are_listed(night: OneNight) -> None:
    shown = run(night.warehouse, "status").stdout
    told = " ".join(shown.split("fio logs without a run")[1].split("\nLast nights")[0].split())
    assert f"2 {night.lab}/logs/db_bw.1.log and 1 more" in told


def test_remedies_lead_to_the_missing_ceiling(night: OneNight, ask: Ask) -> None:
    """After adding the fields that `status` asks for, one by one, the ceiling is there."""
    assert ask(
        "select remedy from marts.rpt_missing_ceilings where remedy like '%/remedies/%' "
        "order by right(remedy, length('0/headroom.yml'))"
    ) == [
        (f"add {field.split()[0]} to {night.lab}/remedies/{number}/headroom.yml",)
        for number, field in enumerate(REMEDIES)
    ]
    assert ask(
        "select round(iops / 1000), attained_ratio > 0 from marts.measurements "
        "where source_path like '%/remedies/3/run.json'"
    ) == [(62, True)]


def test_digitised_figure_reaches_the_marts(ask: Ask) -> None:
    assert ask(
        "select controller, outstanding_io_count as q, round(bytes_per_second / 1048576) as mib, "
        "value_qualifier as qualifier from marts.measurements "
        "where source_path like '%figures/p8-curve.csv' and document_id = 'minimal-paper' "
        "order by all"
    ) == [
        ("A", 1, 490, "approximate"), ("A", 2, 994, "approximate"), ("A", 4, 1775, "approximate"),
        ("B", 1, 843, "approximate"), ("B", 2, 1568, "approximate"),
    ]  # fmt: skip


def test_nightly_reports_a_step_in_results(night: OneNight, ask: Ask) -> None:
    assert "changes: 3, regressions: 3\n" in night.result.stdout
    assert "since 2026-01-21 02:00" in night.result.stdout
    path = str(night.lab / "series/2026-01-21/run.json")
    assert ask(
        "select metric, source_path, round(change_ratio, 2) from quality.change_points order by all"
    ) == [
        ("bytes_per_second", path, -0.1), ("iops", path, -0.1), ("latency_p99_us", path, 0.11),
    ]  # fmt: skip


def test_implausible_results_are_kept_as_not_valid(night: OneNight, ask: Ask) -> None:
    assert ask(
        "select split_part(source_position, ' ', 2) as job, is_valid, is_plausible, condition, "
        "outstanding_io_count, validity_note from marts.measurements "
        "where source_path like '%/odd/odd.json' order by source_position"
    ) == [
        ("rare", False, False, None, 1, "0.00166 IOPS is implausible: expected 0.01 to 1e+09"),
        ("trims", False, False, "trims", 1, "IOPS x block size is 3.28e+04 times the throughput"),
        ("finish", False, True, None, 1, "1 I/O in 1 ms: too few, expected 100 I/Os or 1 s"),
        ("fill-prep", False, True, None, 1, "40 I/Os in 3 ms: too few, expected 100 I/Os or 1 s"),
        ("stopped", False, True, None, 1, "ran for 5 of 20 s"),
        ("nanoseconds", False, False, None, 1,
         "IOPS x mean latency is 5e+03 times the outstanding I/Os"),
    ]  # fmt: skip
    assert ask(
        "select profile_id from marts.measurements where source_path like '%/odd/odd.json' "
        "and split_part(source_position, ' ', 2) in ('finish', 'fill-prep') order by profile_id"
    ) == [("sequential-read0-8KiB",), ("sequential-read100-8KiB",)]
    assert "marts.measurements.implausible_results" in night.result.stdout
    best = "select count(*) from marts.measurements where is_best_of_array and not is_valid"
    assert ask(best) == [(0,)]


def test_killed_run_is_not_valid(ask: Ask) -> None:
    """Its outputs of --status-interval are one run, which did not end."""
    assert ask(
        "select is_valid, validity_note from marts.measurements "
        "where source_path like '%/parts/killed.json'"
    ) == [(False, "unfinished: fio expected 16 s more")]


def test_run_described_twice_gives_two_results(night: OneNight, ask: Ask) -> None:
    """Each with all of its details. A folder without a description adds no result."""
    file_id = hashlib.sha256((night.lab / "twins/a/run.json").read_bytes()).hexdigest()
    assert ask(
        "select split(source_path, '/')[-2], array_id, "
        "regexp_replace(measurement_id, '-[0-9a-f]{6}-', '-SUFFIX-') from marts.measurements "
        "where file_id = $1 order by source_path",
        file_id,
    ) == [
        ("b", "no-controller-raid-5-drives-pm1643-960gb", f"fio-{file_id[:12]}-0"),
        ("c", "no-controller-raid-6-drives-pm1643-960gb", f"fio-{file_id[:12]}-SUFFIX-0"),
    ]
    for mart, count in (
        ("fct_latency_percentiles", 35), ("fct_latency_bins", 32), ("fct_time_series", 2),
        ("fct_repeated_measurements", 0),
    ):  # fmt: skip
        assert (
            ask(
                "select count(others.measurement_id) from marts.measurements "
                f"left join marts.{mart} as others using (measurement_id) "
                "where measurements.file_id = $1 group by measurement_id",
                file_id,
            )
            == [(count,)] * 2
        )
    assert ask(
        "select split(source_path, '/')[-2], system_value from marts.fct_system_facts "
        "where file_id = $1 and system_fact = 'raid_level' order by all",
        file_id,
    ) == [("b", "RAID 5"), ("c", "RAID 6")]
    assert "marts.measurements.same_run_twice" in night.result.stdout
    assert ask(
        "select count(*) from marts.fct_sources_without_sidecar where file_id = $1", file_id
    ) == [(0,)]


def test_ids_with_equal_prefixes_stay_separate(ask: Ask) -> None:
    """Anyone can make such files; a key shared by both would fail every night."""
    assert (
        ask(
            "select left(file_id, 12), measurement_id = 'fio-' || file_id || '-0' "
            "from marts.measurements where contains(source_path, '/alike/')"
        )
        == [("0ad6ef990eea", True)] * 2
    )


def test_merged_bins_give_fios_percentiles(ask: Ask) -> None:
    """Two copies of a process have the percentiles that fio printed for one."""
    jobs = json.loads(PROCESSES.read_text())["jobs"]
    printed = jobs[0]["read"]["clat_ns"]["percentile"]
    assert _percentiles(ask, "twins.json", "merged bins") == {
        ("read", float(percent)): latency / 1e3 for percent, latency in printed.items()
    }
    bins: Counter[int] = Counter()
    for job in jobs:
        bins.update({int(middle): n for middle, n in job["read"]["clat_ns"]["bins"].items()})
    sums = dict(zip(sorted(bins), accumulate(bins[middle] for middle in sorted(bins)), strict=True))
    assert _percentiles(ask, "processes.json", "merged bins") == {
        ("read", float(percent)): next(
            middle / 1e3
            for middle, up_to in sums.items()
            if up_to >= Fraction(float(percent)) / 100 * bins.total()
        )
        for percent in printed
    }


def test_histogram_logs_have_the_percentiles_of_fios_tool(ask: Ask) -> None:
    found = _percentiles(ask, "mixed.json", "merged histogram log")
    for direction, printed in PRINTED_BY_FIOS_TOOL.items():
        of_direction = [found[direction, percent] for percent in (50, 95, 99, 99.9)]
        assert differing(of_direction, [16 * latency for latency in printed]) == []


def test_a_measurement_has_the_percentiles_of_its_whole_load(ask: Ask) -> None:
    for name in ("mixed.json", "processes.json"):
        ((*measured, start),) = ask(
            "select latency_p50_us, latency_p95_us, latency_p99_us, latency_p999_us, "
            "min_latency_p99_us from marts.fct_measurements "
            "where source_path like '%/parts/' || $1",
            name,
        )
        direction = name.removesuffix(".json").replace("processes", "read")
        found = _percentiles(ask, name, "merged%")
        assert measured == [found[direction, percent] for percent in (50, 95, 99, 99.9)]
        assert start is None


def _percentiles(ask: Ask, name: str, method: str) -> dict[tuple[str, float], float]:
    """In microseconds, by direction and percent."""
    rows = ask(
        "select direction, round(percentile_ratio * 100, 10), latency_us "
        "from marts.fct_latency_percentiles inner join marts.measurements using (measurement_id) "
        "where source_path like '%/parts/' || $1 and method like $2",
        name,
        method,
    )
    return {(direction, percent): latency for direction, percent, latency in rows}


def test_own_definitions_are_in_the_catalog(night: OneNight, ask: Ask) -> None:
    assert ask(
        "select controller, vendor, drive, drive_media, outstanding_io_count "
        "from marts.measurements where source_path like '%/own/a.json'"
    ) == [("Own 9000", "Lab", "PM1643 960GB", "SSD", 77)]
    assert ask(
        "select controller, vendor, is_catalogued, defined_in is null from marts.dim_controllers "
        "where controller not in ('A', 'B', 'HighPoint', 'M1015', 'P420i') "
        "and controller not like '% 8i' order by controller"
    ) == [
        ("Acme RAID-9", "Lab", True, False),
        ("Own 9000", "Lab", True, False),
        ("Own 9OOO", None, False, True),
        ("praid-ep420i", "Not Fujitsu", True, False),
    ]
    status = run_headroom(night.warehouse, "status").stdout
    assert "Own 9OOO" in status
    assert "Own 9000" in status
    assert f"{night.lab}/none" in status


def test_drive_ceiling_comes_from_single_drive_or_data_sheet(ask: Ask) -> None:
    assert ask(
        "select drive, drive_count, iops, binding_ceiling, ceiling_iops from marts.measurements "
        "where source_path like '%/drives/%' and drive_count > 1 order by drive"
    ) == [("Alone", 4, 1000, "drives", 4000), ("Rated", 4, 1000, "drives", 360_000)]


def _sized(night: OneNight, *arguments: str) -> list[dict[str, Any]]:
    return printed_rows(night.warehouse, "size", "--profile", "Database", *arguments)


def test_size_uses_own_data_sheets_prices_and_power(night: OneNight) -> None:
    """Of 100 blocks of 8 KiB, 67 are read and 33 written. Four drives read at most 500 MB/s each;
    SATA 6G carries 600 MB/s, in practice 90 % of it, in one direction at a time."""
    shown = run(night.warehouse, *shlex.split(_SIZED)).stdout
    assert shown.strip() == _PRINTED.strip()
    array = ("--raid", "0", "--drive", "S4500", "--drives", "4", "--controller", "Lab 8i")
    found = {row["ceiling_kind"]: row for row in _sized(night, *array)}
    assert found["drives"]["iops"] == pytest.approx(4 * 500e6 / 0.67 / 8192)
    predicted = found["prediction"]
    links = 4 * 600e6 * 0.9 / 8192
    assert predicted["iops"] == pytest.approx(links)
    assert (predicted["evidence"], predicted["low_value"]) == ("data sheet", None)
    assert (predicted["price"], predicted["price_currency"]) == (2400, "EUR")
    assert predicted["power_watts"] == pytest.approx(11.2 + 4 * 5.6)
    assert predicted["iops_per_price_unit"] == pytest.approx(links / 2400)
    assert predicted["iops_per_watt"] == pytest.approx(links / 33.6)


@pytest.mark.parametrize(
    ("controller", "drives", "told"),
    [
        ("Expanded 8i", 9, "price not reported an expander is needed, whose price is not known"),
        ("Dollar 8i", 4, "price not reported the controller costs USD, the drive EUR"),
        ("Dollar 8i", 4, "power 33.6 W ≤ 7850 IOPS per W; controller 11.2 W (its manual), 4 x"),
        ("Free 8i", 4, "price not reported the controller has no price"),
        ("Free 8i", 4, "power not reported the power of the controller is not known"),
    ],
)
def test_price_and_power_are_complete_or_explained(
    night: OneNight, controller: str, drives: int, told: str
) -> None:
    array = ("--raid", "0", "--drive", "S4500", "--drives", f"{drives}", "--controller", controller)
    shown = run(night.warehouse, "size", *array, "--profile", "Database").stdout
    assert told in " ".join(shown.split())


def test_designs_are_chosen_by_price_and_power(night: OneNight) -> None:
    by_drives = [row["design_label"] for row in _sized(night, "--iops", "200000")]
    is_rated = ["S4500" in label for label in by_drives]
    assert any(is_rated) and is_rated == sorted(is_rated)
    by_price = _sized(night, "--iops", "200000", "--sort", "price", "--max-price", "2900 eur")
    assert [(row["design_label"], row["price"]) for row in by_price] == [
        ("Expanded 8i, RAID 0, S4500 960GB", 2400), ("Lab 8i, RAID 0, S4500 960GB", 2400),
    ]  # fmt: skip
    by_power = _sized(night, "--iops", "200000", "--sort", "power", "--max-power-watt", "35")
    assert {row["design_label"].split(",")[0] for row in by_power} == {
        "Dollar 8i", "Expanded 8i", "Lab 8i",
    }  # fmt: skip
    shown = run(night.warehouse, "size", "--iops", "200000", "--profile", "Database")
    assert "not reported" in shown.stdout
    assert "2400 EUR" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 100


def test_tools_are_compared_at_one_load(
    night: OneNight, capsys: pytest.CaptureFixture[str]
) -> None:
    with Warehouse(night.warehouse).open_published() as connection:
        tools = (Subject("tool", "fio"), Subject("tool", "vdbench"))
        found = comparisons(connection, *tools).select("quantity, factor_label, differences")
        assert (
            "IOPS",
            "0.015 x",
            "workers 1 and 32; job jobs[0] reads and rd=oltp",
        ) in found.fetchall()
        compare_tools(connection, None, "table")
        compare_tools(connection, "sequential-read0-1MiB", "table")
    told = " ".join(capsys.readouterr().out.split())
    assert "random, 100 % read, 4KiB, 32 outstanding I/Os" in told
    assert "73.2 kIOPS 437 µs baseline" in told
    assert "0.015 x" in told
    assert "too few runs for an interval" in told
    assert "vdbench differs: workers 32 and 1; file size" in told
    assert told.count("No two tools or engines have valid results for") == 1


def test_a_rule_is_muted_with_a_reason(
    night: OneNight, against: dict[str, str], tmp_path: Path
) -> None:
    """A sample that few rules speak against is trusted once these are muted."""
    warehouse = night.warehouse
    muted, plain = (night.lab / "verdicts" / name for name in ("muted", "plain"))
    trusted = run(warehouse, "verdict", muted)
    assert trusted.exit_code == 0
    assert "1 of 1 trusted" in trusted.stdout
    assert _muted(warehouse, muted) == {rule: f"muted: {why}" for rule, why in against.items()}
    assert run(warehouse, "verdict", muted.parent).exit_code == 1
    assert _muted(warehouse, plain) == {}
    for runs, is_trusted in ((muted, True), (plain, False)):
        page = tmp_path / "report.html"
        assert run(warehouse, "report", page, "--runs", runs).exit_code == 0
        assert "Verdicts on our runs" in page.read_text()
        assert ("Not trusted: " in page.read_text()) != is_trusted


def _muted(warehouse: Path, place: Path) -> dict[str, str]:
    """The muted rules and their reasons."""
    found = printed_rows(warehouse, "verdict", place, "--all-rules", codes=(0, 1))
    return {one["rule"]: one["reason"] for one in found if one["verdict"] == "muted"}


def test_a_host_on_ethernet_has_its_ceiling(ask: Ask) -> None:
    assert ask(
        "select distinct round(bytes_per_second * greatest(read_ratio, 1 - read_ratio), -3) "
        "from marts.fct_ceilings inner join marts.dim_arrays using (array_id) "
        "inner join marts.dim_load_profiles using (profile_id) "
        "where controller_id = 'own-9000' and ceiling_kind = 'host interface' "
        "and basis = 'theoretical'"
    ) == [(12.5e9,)]


def test_different_spellings_are_one_controller(ask: Ask) -> None:
    assert ask(
        "select controller, count(distinct coalesce(document_id, source_path)) "
        "from marts.measurements where controller ilike 'acme%' group by all"
    ) == [("Acme RAID-9", 3)]


@pytest.mark.skipif(not SWEEPS.exists(), reason=f"there is no corpus beside the project: {SWEEPS}")
def test_the_files_with_a_sidecar_give_the_published_numbers(
    night: OneNight, released: duckdb.DuckDBPyConnection, published: duckdb.DuckDBPyConnection
) -> None:
    swept = night.lab / "sweeps"
    assert len(list(swept.rglob("*.json"))) == 288
    measured = _grid(released, f"starts_with(source_path, '{swept}')")
    printed = _grid(published, f"document_id = '{DOCUMENT}'")
    assert measured.keys() == printed.keys()
    for key, values in printed.items():
        known = [index for index, value in enumerate(values) if value not in (None, LAST_BIN_US)]
        found = [measured[key][index] for index in known]
        assert differing(found, [values[index] for index in known]) == [], key


LAST_BIN_US = 17112760.32
"""fio's value for a percentile in its last bin: the real one may be higher, but not lower."""


def _grid(connection: duckdb.DuckDBPyConnection, condition: str) -> dict[Key, tuple[Any, ...]]:
    rows = connection.execute(
        "select controller, raid_level, read_ratio, outstanding_io_count // worker_count, "
        f"worker_count, {VALUES} from marts.measurements where {condition}"
    ).fetchall()
    points = {row[:5]: row[5:] for row in rows}
    assert len(points) == len(rows)
    return points
