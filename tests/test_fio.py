"""Which documents of a fio file are results of their own."""

import json
from pathlib import Path
from typing import Any

from ingest.parsers import fio
from tests.conftest import ROOT
from tests.reading import read_rows

RUN: dict[str, Any] = json.loads((ROOT / "tests/golden/fio/fio-3.33-randrw.json").read_text())


def _print(path: Path, *prints: tuple[int, int | None], behind: str = "") -> dict[str, Any]:
    """A file with a print of RUN at each (timestamp, elapsed), and what is read from it."""
    texts = []
    for timestamp, elapsed in prints:
        job = {key: value for key, value in RUN["jobs"][0].items() if key != "elapsed"}
        job |= {} if elapsed is None else {"elapsed": elapsed}
        texts.append(json.dumps(RUN | {"timestamp": timestamp, "jobs": [job]}, indent=1))
    path.write_text("\n".join(texts) + behind)
    rows = read_rows(fio, path)
    return {
        "snapshots": [job["is_snapshot"] for job in rows["fio_jobs"]],
        "notes": [note["text"] for note in rows["fio_notes"]],
    }


def test_prints_of_one_process_are_snapshots_but_the_last(tmp_path: Path) -> None:
    # as fio 3.33 --status-interval=1 printed them: the last start is a second off
    found = _print(tmp_path / "a.json", (995, 1), (996, 2), (998, 4), (998, 5))
    assert found["snapshots"] == [True, True, True, False]


def test_two_runs_in_one_file_are_two_results(tmp_path: Path) -> None:
    assert _print(tmp_path / "a.json", (1001, 4), (1005, 4))["snapshots"] == [False, False]


def test_without_elapsed_equal_runtimes_are_two_results(tmp_path: Path) -> None:
    assert _print(tmp_path / "a.json", (1001, None), (1005, None))["snapshots"] == [False, False]


def test_text_behind_a_closing_brace_is_kept(tmp_path: Path) -> None:
    found = _print(tmp_path / "a.json", (1001, 4), behind="Disk stats (read/write):")
    assert found == {"snapshots": [False], "notes": ["Disk stats (read/write):"]}
