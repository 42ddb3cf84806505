"""Machines copy their results into folders of one folder, as docs/many-machines.md says."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from ingest.records.raw_tables import RESULTS
from tests.conftest import ROOT
from tests.lab import Lab, statuses

GOLDEN = ROOT / "tests/golden"
RUNS = [
    *(GOLDEN / f"fio/fio-3.33-{name}.json" for name in ("randrw", "json-plus", "two-processes")),
    GOLDEN / "fio/fio-3.39-clients.json",
]
# Like rsync: under a hidden name until the file is whole, or with --inplace under its own.
COPY = """
import os, sys, time
way, source, target = sys.argv[1:]
for name in sorted(os.listdir(source)):
    whole = open(os.path.join(source, name), "rb").read()
    place = os.path.join(target, name)
    if os.path.exists(place) and open(place, "rb").read() == whole:
        continue
    partial = os.path.join(target, f".{name}.kGbwMf") if way == "hidden" else place
    with open(partial, "wb", buffering=0) as file:
        for at in range(0, len(whole), 256):
            file.write(whole[at:at + 256])
            time.sleep(0.01)
    os.replace(partial, place)
"""


def current(lab: Lab) -> set[tuple[str, str]]:
    rows = lab.rows("select absolute_path, file_id from raw.sources where is_current")
    return {(Path(path).relative_to(lab.results).as_posix(), file_id) for path, file_id in rows}


def results(lab: Lab) -> dict[str, list[tuple[str]]]:
    """Rows as text, because NaN is not equal to NaN."""
    ids = "select file_id from raw.sources where is_current"
    return {
        table: sorted(
            lab.rows(f"select cast(t as varchar) from raw.{table} t where file_id in ({ids})")
        )
        for table in RESULTS
    }


def test_each_machine_is_a_folder_and_equal_contents_count_once(lab: Lab) -> None:
    for machine in ("lab1", "lab2"):
        (lab.results / machine).mkdir()
        shutil.copy(RUNS[0], lab.results / machine / "run.json")
        (lab.results / machine / "headroom.yml").write_text(f"server: {machine}\n")
    shutil.copy(RUNS[1], lab.results / "lab2/own.json")
    assert statuses(lab.ingest()) == ["loaded", "loaded", "copy"]
    said = lab.rows(
        "select path, server from raw.sources inner join raw.sidecars using (source_key) order by 1"
    )
    assert [(Path(path).parts[-2:], server) for path, server in said] == [
        (("lab1", "run.json"), "lab1"),
        (("lab2", "own.json"), "lab2"),
        (("lab2", "run.json"), "lab2"),
    ]
    assert lab.rows("select count(*), count(distinct file_id) from raw.files") == [(2, 2)]


@pytest.mark.parametrize("seed", range(int(os.environ.get("COPY_KILLS", "1"))))
def test_copying_during_nights_loses_and_duplicates_nothing(
    lab: Lab, tmp_path: Path, seed: int
) -> None:
    """Two copy at once, killed at random; the next copy resumes. COPY_KILLS=60 tries more."""
    chance = random.Random(seed)
    sent = tmp_path / "sent"
    sent.mkdir()
    for number, run in enumerate(RUNS):
        shutil.copy(run, sent / f"{number}.json")
    ways = {"lab1": "hidden", "lab2": "in place"}
    for machine in ways:
        (lab.results / machine).mkdir()
    codes = []
    for is_killed in (True, True, False):
        copying = [
            subprocess.Popen([sys.executable, "-S", "-c", COPY, way, sent, lab.results / machine])
            for machine, way in ways.items()
        ]
        kills = [Timer(chance.uniform(0.1, 0.8), one.kill) for one in copying] * is_killed
        for kill in kills:
            kill.start()
        while any(one.poll() is None for one in copying):
            lab.ingest()
        for kill in kills:
            kill.join()
        codes.append([one.returncode for one in copying])
    assert codes[0] == [-9, -9] and codes[2] == [0, 0]
    lab.ingest()
    assert lab.refused() == {}
    (tmp_path / "whole").mkdir()
    whole = Lab(tmp_path / "whole")
    for machine in ways:
        shutil.copytree(sent, whole.results / machine)
    whole.ingest()
    assert current(lab) == current(whole)
    assert results(lab) == results(whole)


@pytest.mark.skipif(not shutil.which("rsync"), reason="needs rsync")
def test_documented_rsync_copies_into_a_machine_folder(lab: Lab) -> None:
    document = (ROOT / "docs/many-machines.md").read_text()
    (command,) = (line for line in document.splitlines() if line.startswith("    rsync "))
    command = command.replace("/srv/fio-results/", f"{GOLDEN}/fio/")
    subprocess.run(command.replace("lab:/srv/results", f"{lab.results}").split(), check=True)
    assert "loaded" in set(statuses(lab.ingest()))
    assert "lab1/fio-3.33-randrw.json" in {name for name, _ in current(lab)}


def test_half_copied_file_changes_nothing_until_complete(lab: Lab) -> None:
    (lab.results / ".headroomignore").write_text("*.partial\n")
    path = lab.add("known.json")
    lab.ingest()
    before = current(lab)
    half = path.read_bytes()[:3000]
    for name in ("known.json", "new.json", ".new.json.kGbwMf", "new.json.1a2b3c4d.partial"):
        (lab.results / name).write_bytes(half)
    lab.ingest()
    assert current(lab) == before
    assert {*lab.refused()} == {"known.json", "new.json"}
    shutil.copy(RUNS[0], path)
    shutil.copy(RUNS[1], lab.results / "new.json")
    assert set(statuses(lab.ingest())) >= {"loaded"}
    assert lab.refused() == {}
    assert [name for name, _ in sorted(current(lab))] == ["known.json", "new.json"]
