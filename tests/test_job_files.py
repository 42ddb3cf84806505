"""fio's job files as fio reads them (init.c __parse_jobs_ini)."""

import shutil
from pathlib import Path

import pytest

from ingest.find.links import ANYWHERE
from ingest.systems.job_files import jobs_in, read_job_files
from tests.conftest import ROOT
from tests.lab import Lab, status_by_name

NIGHTLY = """\
; of the lab
[global]
ioengine=libaio
 direct = 1
filename=/dev/sdb
[reads]
readwrite=randread
blocksize=4k
[global]
iodepth=32
[writes]
stonewall
rw=write
time_based
[again]
name=reads
rw=read
new_group=1
"""


def test_global_options_apply_to_later_jobs() -> None:
    shared = {"ioengine": "libaio", "direct": "1"}
    assert [*jobs_in(NIGHTLY)] == [
        {"job": "reads", "group": 0, "options": {**shared, "rw": "randread", "bs": "4k"}},
        {
            "job": "writes",
            "group": 1,
            "options": {**shared, "iodepth": "32", "rw": "write", "time_based": ""},
        },
        {"job": "reads", "group": 2, "options": {**shared, "iodepth": "32", "rw": "read"}},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "rw=read\n[a]\n",
        "[a]\nbs=${BS}\n",
        "[a]\nnumjobs=$ncpus\n",
        "[a]\ninclude other.fio\n",
        "[a]\nkb_base=1000\nbs=4k\n",
    ],
)
def test_job_file_with_undetermined_options_is_ignored(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        [*jobs_in(text)]
    (tmp_path / "a.fio").write_text(text)
    assert read_job_files(str(tmp_path), ANYWHERE) is None


def test_global_stonewall_makes_each_job_a_group() -> None:
    jobs = jobs_in("[global]\nstonewall\n[a]\nrw=read\n[b]\nrw=write\n")
    assert [job["group"] for job in jobs] == [0, 1]


def test_variables_in_unused_options_are_allowed() -> None:
    assert [job["options"] for job in jobs_in("[a]\nfilename=$jobname.dat\nrw=read\n")] == [
        {"rw": "read"}
    ]


def test_bad_job_files_do_not_affect_others(tmp_path: Path) -> None:
    (tmp_path / "a.fio").write_bytes(b"\xff\xfe\x00[")
    (tmp_path / "b.fio").mkdir()
    (tmp_path / "c.fio").write_text("[a]\nrw=read\n" * 1000)
    (tmp_path / "d.fio").symlink_to(tmp_path / "gone")
    found = read_job_files(str(tmp_path), ANYWHERE)
    assert found is not None
    assert found.count('"c.fio"') == 1000
    (tmp_path / "e.fio").write_text("[a]\nrw=read\n" * 5000)
    assert read_job_files(str(tmp_path), ANYWHERE) is None
    assert read_job_files(str(tmp_path / "results.tar"), ANYWHERE) is None


def test_results_follow_changes_of_their_job_file(lab: Lab) -> None:
    shutil.copy(ROOT / "tests/golden/fio/fio-3.33-two-processes.json", lab.results / "run.json")
    (lab.results / "headroom.yml").unlink()
    job_file = lab.results / "a.fio"

    def found() -> tuple[str, list[tuple[str]]]:
        status = status_by_name(lab.ingest())["run.json"]
        return status, lab.rows("select job_files from raw.sidecars")

    job = '[{"file":"a.fio","job":"a","group":0,"options":{"rw":"read"}}]'
    assert found() == ("loaded", [])
    job_file.write_text("[a]\nrw=read\n")
    assert found() == ("loaded", [(job,)])
    assert found() == ("unchanged", [(job,)])
    job_file.write_text("[a]\nrw=write\n")
    assert found() == ("loaded", [(job.replace("read", "write"),)])
    job_file.unlink()
    assert found() == ("loaded", [])
