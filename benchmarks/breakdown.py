"""Measures the seconds of each step of ingest, one after the other in one process.

python -m benchmarks.breakdown LAB
"""

import argparse
import hashlib
import pickle
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ingest.find.sources import find_sources
from ingest.parsers import fio
from ingest.parsers.fio.documents import read_documents
from ingest.reading import read_files
from ingest.records.archive import Archive, NewPack
from ingest.records.ledger import locate, read_ledger
from ingest.records.raw_tables import make_tables
from ingest.records.readings import Reading
from ingest.records.recorder import Recorder
from ingest.workers import in_batches

Seconds = dict[str, float]


def measure(lab: Path) -> Seconds:
    """Seconds by step, of the fio runs of a lab."""
    seconds: Seconds = defaultdict(float)
    with tempfile.TemporaryDirectory() as folder:
        connection = duckdb.connect(Path(folder, "building.duckdb"))
        make_tables(connection)
        archive = Archive(Path(folder, "archive"))
        recorder = Recorder(connection, read_ledger(connection))
        folders: dict[str, str] = {}
        with _timed(seconds, "find and look at the files"):
            places = [locate(path, folders) for path in find_sources([lab]).files]
        sized = [(Reading(place.path, place), place.size_bytes) for place in places]
        for batch, _ in in_batches(sized):
            _measure_batch(batch, archive, recorder, seconds)
        with _timed(seconds, "DuckDB"):
            recorder.commit()
            connection.close()
    return seconds


def _measure_batch(
    readings: list[Reading], archive: Archive, recorder: Recorder, seconds: Seconds
) -> None:
    spent: Seconds = defaultdict(float)
    with _timed(spent, "read"):
        contents = [reading.path.read_bytes() for reading in readings]
    with _timed(spent, "sha256"):
        ids = [hashlib.sha256(content).hexdigest() for content in contents]
    with _timed(spent, "compress and write the archive"):
        pack = NewPack(Archive(archive.folder / "apart"))
        for file_id, content in zip(ids, contents, strict=True):
            pack.store(file_id, content)
        pack.seal()
    with _timed(spent, "decode JSON"):
        for content in contents:
            read_documents(content)
    with _timed(spent, "parse"):
        for content in contents:
            fio.parse(Path(), content)
    with _timed(spent, "all"):
        result = read_files(readings, archive)
    with _timed(spent, "transfer between processes"):
        result = pickle.loads(pickle.dumps(result))
    with _timed(spent, "DuckDB"):
        recorder.record(result)
    parse, everything = spent.pop("parse"), spent.pop("all")
    spent["rows"] = parse - spent["decode JSON"]
    known = ("read", "sha256", "compress and write the archive")
    spent["frames, identification"] = everything - parse - sum(spent[step] for step in known)
    for step, of_batch in spent.items():
        seconds[step] += of_batch


@contextmanager
def _timed(seconds: Seconds, step: str) -> Iterator[None]:
    started_at = time.perf_counter()
    yield
    seconds[step] += time.perf_counter() - started_at


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.breakdown", description=__doc__)
    parser.add_argument("lab", type=Path)
    for step, spent in measure(parser.parse_args().lab).items():
        print(f"{spent:8.2f} s  {step}")


if __name__ == "__main__":
    main()
