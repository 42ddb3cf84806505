"""One bad entry never affects another: hostile files, links and folders among results."""

import os
import shutil
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from headroom.warehouse import Warehouse
from ingest.find.links import AllowedLinks
from ingest.find.sources import PAPER_FIGURES, find_sources
from ingest.load import load
from ingest.parsers import fio, white_paper
from ingest.reading import read_files
from ingest.records.archive import Archive
from ingest.records.readings import Batch, Reading
from tests.conftest import MINIMAL_PAPER
from tests.fuzz_trees import Report, grow, night
from tests.lab import FIO_RUN, Lab, status_by_name, statuses

SECRET = "hunter2: the-first-line-of-a-secret"
NAMES = ("headroom.yml", ".headroomignore", "document.yml", "run.json", "limits.csv", "r.zip")


def _special(path: Path, kind: str) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "zero":
            path.symlink_to("/dev/zero")
        case "loop":
            path.symlink_to(path.name)
        case _:
            path.write_text("document_id: " + "[" * 100_000)


def _reasons(lab: Lab) -> dict[str, str]:
    """All reasons of each refused file: unlike `Lab.refused`, some have several."""
    reasons: dict[str, str] = {}
    for path, reason in lab.rows("select file_path, reason from quality.quarantined_files"):
        name = path.removeprefix(f"{lab.results}/")
        reasons[name] = f"{reasons.get(name, '')}{reason}\n"
    return reasons


def test_folder_named_like_a_sidecar_is_searched(tmp_path: Path) -> None:
    folder = tmp_path / "headroom.yml"
    folder.mkdir()
    run = shutil.copy(FIO_RUN, folder)
    assert find_sources([tmp_path]).files == [Path(run)]


def test_special_files_do_not_affect_good_results(lab: Lab) -> None:
    """Each kind under every name that ingest reads, each beside a good result."""
    number = 0
    for kind in ("pipe", "folder", "zero", "loop", "deep"):
        for name in (*NAMES, "system/capture.txt", "system/lsblk.json"):
            number += 1
            folder = lab.results / f"{number}"
            (folder / "system").mkdir(parents=True)
            lab.add(f"{number}/good.json", f"fio-3.33-{number}")
            if name.endswith("lsblk.json"):
                (folder / "system/capture.txt").touch()
            _special(folder / name, kind)
    for sheet in ("limits.csv", "figures/p8-curve.csv"):
        for kind in ("pipe", "folder", "zero", "loop"):
            number += 1
            paper = shutil.copytree(MINIMAL_PAPER, lab.results / f"{number}")
            (paper / sheet).unlink()
            _special(paper / sheet, kind)
    outcomes = lab.ingest()
    assert Counter(o.parser for o in outcomes if o.status == "loaded") == {"fio": 40}
    refused = _reasons(lab)
    assert "is a pipe, socket or device" in refused["1/headroom.yml"]
    assert "is a pipe, socket or device" in refused["2/.headroomignore"]
    assert "not a regular file" in refused["3/document.yml"]
    assert refused["35/document.yml"].endswith("is nested more than 20 deep\n")
    others = {str(Path(o.path).relative_to(lab.results)) for o in outcomes if o.kind}
    assert others == {"37/limits.csv"}
    assert len({path.split("/")[0] for path in refused}) == number - 10  # the others are not read


def _mode_000(path: Path) -> None:
    raise PermissionError(13, "Permission denied", str(path))


def test_unreadable_files_are_quarantined(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("headroom.yml", ".headroomignore", "document.yml", "closed.json"):
        (lab.results / name).write_text("{}")
    lab.add("good.json")
    open_path, read = Path.open, Path.read_bytes
    closed = {lab.results / name for name in ("headroom.yml", ".headroomignore", "closed.json")}
    with monkeypatch.context() as patched:
        patched.setattr(
            Path, "open", lambda path, *rest, **more: (path in closed and _mode_000(path))
            or open_path(path, *rest, **more),
        )  # fmt: skip
        patched.setattr(
            Path, "read_bytes", lambda path: (path in closed and _mode_000(path)) or read(path)
        )
        outcomes = lab.ingest()
    assert {Path(o.path).name for o in outcomes if o.status == "loaded"} == {"good.json"}
    assert lab.refused().keys() >= {path.name for path in closed}


def test_links_out_of_the_given_folders_are_not_followed(lab: Lab, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "runs").mkdir(parents=True)
    (outside / "secret").write_text(f"{SECRET}\n")
    (outside / "runs/run.json").write_bytes(FIO_RUN.read_bytes())
    (lab.results / "system").mkdir()
    (lab.results / "system/capture.txt").touch()
    (lab.results / "headroom.yml").unlink()
    paper = shutil.copytree(MINIMAL_PAPER, lab.results / "paper")
    (paper / "limits.csv").unlink()
    names = ("x.json", "headroom.yml", ".headroomignore", "document.yml", "system/lsblk.json",
             "paper/limits.csv", "r.zip")  # fmt: skip
    for name in names:
        (lab.results / name).symlink_to(outside / "secret")
    (lab.results / "runs").symlink_to(outside / "runs")
    lab.add("good.json", "fio-3.1")
    (lab.results / "twin.json").symlink_to("good.json")
    outcomes = lab.ingest()
    loaded = {Path(outcome.path).name for outcome in outcomes if outcome.status == "loaded"}
    assert loaded == {"good.json"}
    refused = _reasons(lab)
    assert refused.keys() >= {*names, "runs"}
    reason = f"is a link to {outside}/runs, out of the folders that were given, and is not followed"
    assert refused["runs"] == f"{reason}: if it may be, add --follow {outside}/runs\n"
    kept = b"".join(path.read_bytes() for path in lab.archive.folder.rglob("*") if path.is_file())
    said = str(lab.rows("from quality.quarantined_files")) + str(lab.rows("from raw.sidecars"))
    assert b"hunter2" not in kept
    assert "hunter2" not in said
    again = lab.ingest(follow=[outside / "runs"])
    assert [Path(o.path).name for o in again if o.status == "loaded"] == ["run.json"]
    assert "runs" not in _reasons(lab)


def test_ignored_link_is_not_reported(lab: Lab) -> None:
    (lab.results / "x.json").symlink_to("/etc/passwd")
    (lab.results / ".headroomignore").write_text("x.json\n")
    assert lab.ingest() == []


@pytest.mark.usefixtures("settled")
def test_non_result_is_not_archived_or_read_again(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lab.results / "notes.txt").write_text(SECRET)
    lab.ingest()
    assert lab.rows("select kind from quality.files_without_results") == [(".txt",)]
    assert not list(lab.archive.folder.rglob("*.pack"))
    reads: list[Path] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: reads.append(path) or read(path))
    assert statuses(lab.ingest()) == ["no result"]
    assert lab.results / "notes.txt" not in reads


def test_reasons_quote_only_a_short_excerpt(lab: Lab) -> None:
    (lab.results / "a.csv").write_text("Test Type,Test Description\n" + "y" * 5000 + "\n")
    (lab.results / "a_bw.1.log").write_text("1, 2, 0, 0\n" + "\0" * 500 + "\n")
    (lab.results / ".headroomignore").write_text("\\" + "x" * 900 + "[z-a]\n")
    lab.ingest()
    reasons = lab.refused().values()
    assert len(reasons) == 3
    assert all(
        "y" * 100 not in reason and "x" * 100 not in reason and len(reason) < 500
        for reason in reasons
    )


def test_bad_document_yml_does_not_affect_results(lab: Lab) -> None:
    """Only files named like a paper's sheets and figures belong to a paper."""
    (lab.results / "document.yml").write_text("a: note of ours\n")
    for name in ("a.json", "night-1/b.json", f"{PAPER_FIGURES}/c.json"):
        lab.add(name, f"fio-{name}")
    outcomes = lab.ingest()
    assert Counter(statuses(outcomes)) == {"loaded": 3, "quarantined": 1}
    (reason,) = lab.refused().values()
    assert reason.startswith("not a valid document.yml: Object contains unknown field")
    assert not list(lab.archive.folder.rglob("*document*"))


def test_figure_with_unknown_raid_level_is_refused(lab: Lab) -> None:
    """The constraint of dim_arrays allows no other levels: it would fail a night."""
    paper = shutil.copytree(MINIMAL_PAPER, lab.results / "paper")
    figures = paper / "figures.csv"
    figures.write_text(figures.read_text().replace("RAID 0", "RAID 1e308"))
    (outcome,) = lab.ingest()
    assert "p8-curve.csv:3: raid_level 'RAID 1e308' is unknown" in str(outcome.errors[0])


def test_oversized_paper_folder_is_refused(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(white_paper, "MOST_FILES", 3)
    paper = shutil.copytree(MINIMAL_PAPER, lab.results / "paper")
    assert "has more than 3 files beside it" in str(lab.ingest()[0].errors[0])
    monkeypatch.undo()
    monkeypatch.setattr(white_paper, "LARGEST_BYTES", 1 << 20)
    (paper / "claims.csv").write_bytes(bytes(1 << 20))
    assert "claims.csv: is larger than" in str(lab.ingest()[0].errors[0])


def test_costly_or_long_ignore_file_finishes(lab: Lab) -> None:
    (lab.results / ".headroomignore").write_text(
        "*a" * 60
        + "b\n"
        + "x" * 2000
        + "\n[z-a]\n*.tmp\n"
        + "".join(f"{n}.x\n" for n in range(2000))
    )
    lab.add("a" * 200)
    lab.add("c.tmp")
    lab.add("1999.x", "fio-3.1")
    found = status_by_name(lab.ingest())
    assert found.pop(".headroomignore") == "quarantined"
    assert found == {"a" * 200: "loaded", "c.tmp": "ignored", "1999.x": "loaded"}
    reasons = _reasons(lab)[".headroomignore"]
    assert "longer than 1000 characters" in reasons
    assert "'[z-a]' is not a valid pattern: invalid character class range: z-a" in reasons
    assert "has more than 1000 patterns" in reasons


def test_too_deep_folders_are_quarantined(lab: Lab) -> None:
    lab.add("good.json")
    deep = lab.results.joinpath(*["d"] * 300)
    os.makedirs(deep)
    (deep / "x.json").write_bytes(FIO_RUN.read_bytes())
    assert Counter(statuses(lab.ingest())) == {"loaded": 1, "quarantined": 1}
    (reason,) = lab.refused().values()
    assert "has folders more than 100 deep" in reason


def _spin_or_read(readings: list[Reading], archive: Archive, links: AllowedLinks) -> Batch:
    """Like read_files, but the process blocks SIGALRM and never finishes spins.json."""
    import ingest.reading

    ingest.reading._MOST_SECONDS, ingest.reading._GRACE_SECONDS = 0.2, 0.2
    if any(reading.path.name == "spins.json" for reading in readings):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        ingest.reading.identify = _spin
    return read_files(readings, archive, links)


def _spin(path: Path, data: bytes) -> None:
    while path.name == "spins.json":
        pass


def test_a_parser_that_ignores_its_time_limit_is_killed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.load.read_files", _spin_or_read)
    lab.add("spins.json")
    found = find_sources([lab.results])
    (outcome,) = load(lab.connection, found, lab.archive, is_apart=True)
    assert outcome.status == "quarantined"
    assert "the parser was killed while reading this file" in str(outcome.errors[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"4": 99.993298', '"4": 1e999'),
        ('"4": 99.993298', '"\\ud800": 0'),
        ('"4": 99.993298', '"4": "x"'),
        ('"99.990000": ', '"1e308": '),
        ('"99.990000": ', '"-1": '),
        ('"99.990000": ', '"nan": '),
        ('"timestamp": 1795264590', '"timestamp": 900719925474099'),
    ],
)
def test_values_that_would_fail_in_sql_are_refused(lab: Lab, old: str, new: str) -> None:
    text = FIO_RUN.read_text()
    assert old in text
    (lab.results / "odd.json").write_text(text.replace(old, new, 1))
    (outcome,) = lab.ingest()
    assert outcome.status == "quarantined", outcome


def test_many_documents_take_time_linear_in_their_number() -> None:
    text = FIO_RUN.read_text()
    seconds = []
    for count in (250, 1000):
        spent = []
        for _ in range(3):  # the minimum: other processes add time
            started_at = time.process_time()
            fio.parse(Path("x.json"), "\n".join([text] * count).encode())
            spent.append(time.process_time() - started_at)
        seconds.append(min(spent))
    assert seconds[1] < 8 * seconds[0]


def test_hostile_trees_leave_every_good_file_published(empty: Path, tmp_path: Path) -> None:
    """`make torture` tries more trees."""
    warehouse = Warehouse(tmp_path / "warehouse")
    warehouse.folder.mkdir()
    shutil.copy(empty, warehouse.building)
    trees = [grow(tmp_path / "results" / f"{seed}", seed) for seed in range(1, 4)]
    report = Report()
    night(warehouse, tmp_path / "results", trees, report)
    assert report.faults == []
    assert report.good >= len(trees)
