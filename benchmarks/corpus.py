"""Loads public results that were not made for Headroom, and reports the outcome of each file.

    make corpus DIRS="../corpus/*" ARGS=--write

The folders lie beside each other; each is a checkout of one of REPOSITORIES, whose commit is in the
report. Nothing of it is kept. One night loads all of them into a new warehouse, whose values are
compared with a second reading of the same files.
"""

import argparse
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb

from benchmarks import BENCH, HEADROOM, ROOT, second_reader
from benchmarks.measure import Cost, run
from benchmarks.report import machine

REPOSITORIES = (
    "BU-DiSC/SilentZNS-bench",
    "SamYaple/fio-plot-results",
    "arcalot/arcaflow-plugin-fio",
    "ccochato/fio-test",
    "daybreak159/fio_lab",
    "itu-nvmefs/nvmefs-benchmark",
    "microyahoo/fio-benchmark",
    "nicktehrany/msF2FS-bench",
    "pierreozoux/rook-aws",
    "prakashsurya/prakashsurya.github.io",
    "samisrana/SSD-Performance-Profiling",
    "stonet-research/icpe24_io_scheduler_study_artifact",
    "stonet-research/systor-confznsplusplus-artifact",
    "tchaikov/my-ceph-bench",
    "wikimedia/cloud-storage-performance-tests",
)
_HEAD = """\
# Public results

Results that others published, as `headroom nightly` takes them. None of their files is part of this
project. One night loads them all and publishes. To repeat it, for each REPOSITORY and COMMIT below:

    git -C ../corpus clone https://github.com/REPOSITORY
    git -C ../corpus/NAME checkout COMMIT

and then `make corpus DIRS="../corpus/*" ARGS=--write`.
"""
_FILES = """
    with files as (
        select path, parser from raw.sources inner join raw.files using (file_id) where is_current
        union all by name
        select distinct path, true as is_quarantined from quality.quarantined_files
        union all by name
        select path, kind from quality.files_without_results
    )
    select
        split_part(path, '/', 1) as repository,
        count(*) as files,
        count(*) filter (parser = 'fio') as "fio results",
        count(*) filter (parser = 'fio_log') as "fio logs",
        count(kind) as "no results",
        count(is_quarantined) as quarantined,
    from files group by all order by all
"""
_MEASUREMENTS = """
    with with_percentiles as (
        select distinct file_id from raw.fio_latencies where len(percentiles) > 0
    )
    select
        split_part(source_path, '/', 1) as repository,
        count(*) as measurements,
        count(*) filter (is_valid) as valid,
        count(*) filter (is_valid and file_id in (from with_percentiles))
            as "valid, file has percentiles",
        count(*) filter (is_valid and file_id in (from with_percentiles)
            and latency_p99_us is not null) as "of these with p99",
        count(*) filter (is_valid and file_id in (from with_percentiles)
            and latency_p99_us is null and max_latency_p99_us is not null) as "with its bounds",
        count(ceiling_bytes_per_second) as "with a ceiling",
        count(distinct profile_id) as "load profiles",
    from marts.measurements
    inner join (select measurement_id, max_latency_p99_us from marts.fct_measurements)
        using (measurement_id)
    group by all order by all
"""
_MOST_DIFFERENCES = 3  # shown per repository
_TABLES = (
    ("What came in", _FILES),
    ("What it became", _MEASUREMENTS),
    (
        "Why files are in quarantine",
        """
        select regexp_replace(reason, '\\d+', 'N', 'g') as reason, count(*) as files
        from quality.quarantined_files group by all order by files desc, reason
        """,
    ),
    (
        "What is no result",
        """
        select kind, count(*) as files
        from quality.files_without_results group by all order by files desc, kind limit 20
        """,
    ),
    (
        "Why measurements do not count",
        """
        select
            regexp_replace(validity_note, '[0-9][0-9.e+-]*', 'N', 'g') as reason,
            count(*) as measurements
        from marts.measurements where not is_valid group by all order by measurements desc, reason
        """,
    ),
    (
        "Checks that warn",
        """
        select check_id as "check", failing_row_count as rows
        from quality.check_results where is_latest and not is_passed order by check_id
        """,
    ),
)


def commit_of(folder: Path) -> str:
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return said.stdout.strip()


def load(folders: list[Path], warehouse: Path) -> dict[str, Cost]:
    """Run one night in two parts; paths in the warehouse begin with a repository's name."""
    shutil.rmtree(warehouse, ignore_errors=True)
    os.chdir(folders[0].parent)
    names = [folder.name for folder in folders]
    return {
        "ingest": run([HEADROOM, "ingest", "--warehouse", warehouse, *names]),
        "build, check, publish": run([HEADROOM, "nightly", "--warehouse", warehouse]),
    }


def as_markdown(
    folders: list[Path],
    connection: duckdb.DuckDBPyConnection,
    costs: dict[str, Cost],
) -> str:
    names = {name.split("/")[1]: name for name in REPOSITORIES}
    lines = [_HEAD, f"{machine()}\n", "| repository | commit |", "|---|---|"]
    lines += [
        f"| {names.get(folder.name, folder.name)} | {commit_of(folder)} |" for folder in folders
    ]
    for title, query in _TABLES:
        lines += [f"\n## {title}\n", *_rows(connection.sql(query))]
    lines += ["\n## Read a second way\n", *_second_reading(connection, folders)]
    lines += ["\n## The night\n", "| step | s | CPU s | peak MiB |", "|---|---:|---:|---:|"]
    lines += [
        f"| {name} | {cost.seconds:.1f} | {cost.cpu_seconds:.1f} | {cost.peak_bytes / 2**20:.0f} |"
        for name, cost in costs.items()
    ]
    return "\n".join([*lines, ""])


def _second_reading(connection: duckdb.DuckDBPyConnection, folders: list[Path]) -> Iterator[str]:
    yield second_reader.WHAT
    told: list[str] = []
    for number, folder in enumerate(folders):
        counts, differences = second_reader.differences(connection, folder)
        told += differences[:_MOST_DIFFERENCES]
        if number == 0:
            yield f"| repository | {' | '.join(counts)} |"
            yield f"|---|{'---:|' * len(counts)}"
        yield f"| {folder.name} | {' | '.join(f'{count:,}' for count in counts.values())} |"
    yield from ([""] + [f"- {one}" for one in told]) * bool(told)


def _rows(relation: duckdb.DuckDBPyRelation) -> Iterator[str]:
    yield f"| {' | '.join(relation.columns)} |"
    yield f"|---|{'---:|' * (len(relation.columns) - 1)}"
    for row in relation.fetchall():
        cells = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row)
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--write", action="store_true", help="into benchmarks/CORPUS.md")
    arguments = parser.parse_args()
    folders = sorted(folder.resolve() for folder in arguments.folders if folder.is_dir())
    if len({folder.parent for folder in folders}) > 1:
        parser.error("the checkouts have to lie in one folder")
    warehouse = BENCH / "corpus"
    costs = load(folders, warehouse)
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        text = as_markdown(folders, connection, costs)
    print(text)
    if arguments.write:
        (ROOT / "benchmarks/CORPUS.md").write_text(text)


if __name__ == "__main__":
    main()
