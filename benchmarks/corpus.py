"""Loads public results that nobody made for Headroom, and says what became of them.

    make corpus DIRS="../fio-plot-results ../icpe24_io_scheduler_study_artifact" ARGS=--write

Each folder, all beside each other, is a checkout of a repository that publishes results: its name
and its commit are in the report, nothing of it is kept. All of them go through one night, into a
warehouse of their own. Then fio's results alone are read once more, beside fio-plot, and beside the
importer of fio-analyzer if FIO_ANALYZER names a checkout of it.
"""

import argparse
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb

from benchmarks.ingest import BENCH, HEADROOM, ROOT, made_environment, made_fio_plot
from benchmarks.measure import Cost, run
from benchmarks.report import machine

_HEAD = """\
# Public results

Results that others published, as `headroom nightly` takes them: {command}. None of their files is
part of this project. One night loads them all and publishes.
"""
_FIO_ANALYZER_NEEDS = ("fastapi==0.104.1", "python-multipart==0.0.6", "bcrypt==4.1.1",
                       "python-jose[cryptography]==3.3.0", "pydantic>=2.12")  # fmt: skip
_FILES = """
    with files as (
        select path, parser from raw.sources inner join raw.files using (file_id) where is_current
        union all by name
        select path, reason from quality.quarantined_files
    )
    select
        split_part(path, '/', 1) as repository,
        count(*) as files,
        count(*) filter (parser = 'fio') as "fio results",
        count(*) filter (parser = 'fio_log') as "fio logs",
        count(*) filter (reason like 'no parser%') as "no results",
        count(*) filter (reason not like 'no parser%') as quarantined,
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
    from marts.measurements group by all order by all
"""
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
# What the peers read, in folders by fio's `rw`: fio-plot takes one at a time.
_FIO_RESULTS = """
    select distinct sources.absolute_path, sources.path, jobs.options ->> 'rw' as rw
    from raw.sources as sources
    inner join raw.fio_jobs as jobs using (file_id)
    where sources.is_current
    qualify row_number() over (partition by sources.absolute_path order by jobs.job_index) = 1
"""


def commit_of(folder: Path) -> str:
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return said.stdout.strip()


def load(folders: list[Path], warehouse: Path) -> dict[str, Cost]:
    """One night, in its two parts; paths in the warehouse begin with a repository's name."""
    shutil.rmtree(warehouse, ignore_errors=True)
    os.chdir(folders[0].parent)
    names = [folder.name for folder in folders]
    return {
        "ingest": run([HEADROOM, "ingest", "--warehouse", warehouse, *names]),
        "build, check, publish": run([HEADROOM, "nightly", "--warehouse", warehouse]),
    }


def stage(connection: duckdb.DuckDBPyConnection, target: Path) -> int:
    """fio's results as the peers want them; their bytes."""
    shutil.rmtree(target, ignore_errors=True)
    size = 0
    for absolute, path, rw in connection.execute(_FIO_RESULTS).fetchall():
        place = target / Path(path).parent / (rw or "unknown") / f"{Path(path).stem}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(absolute, place)
        size += place.stat().st_size
    return size


def made_fio_analyzer(checkout: Path) -> Path:
    """The Python of fio-analyzer's environment; it keeps its database beside a copy of its code."""
    shutil.copytree(checkout / "backend", BENCH / "fio-analyzer-backend", dirs_exist_ok=True)
    return made_environment("fio-analyzer", *_FIO_ANALYZER_NEEDS)


def compare(fio: Path) -> Iterator[tuple[str, Cost]]:
    """Each reads all that is below `fio`, one after the other."""
    warehouse = BENCH / "warehouse"
    shutil.rmtree(warehouse, ignore_errors=True)
    yield "headroom ingest", run([HEADROOM, "ingest", "--warehouse", warehouse, fio])
    loader = ROOT / "benchmarks/fio_plot_loader.py"
    yield "fio-plot get_json_data", run([made_fio_plot(), loader, fio])
    if checkout := os.environ.get("FIO_ANALYZER"):
        python = made_fio_analyzer(Path(checkout))
        importer = ROOT / "benchmarks/fio_analyzer_importer.py"
        command = [python, importer, BENCH / "fio-analyzer-backend", fio]
        yield f"fio-analyzer's import, commit {commit_of(Path(checkout))[:7]}", run(command)


def as_markdown(
    folders: list[Path],
    connection: duckdb.DuckDBPyConnection,
    costs: dict[str, Cost],
    peers: list[tuple[str, Cost]],
    fio_bytes: int,
) -> str:
    lines = [_HEAD.format(command='`make corpus DIRS="..."`'), f"{machine()}\n"]
    lines += ["| repository | commit |", "|---|---|"]
    lines += [f"| {folder.name} | {commit_of(folder)} |" for folder in folders]
    for title, query in _TABLES:
        lines += [f"\n## {title}\n", *_rows(connection.sql(query))]
    lines += ["\n## The night\n", "| step | s | CPU s | peak MiB |", "|---|---:|---:|---:|"]
    lines += [f"| {name} | {_figures(cost)} |" for name, cost in costs.items()]
    lines += [f"\n## Reading fio's results alone, {fio_bytes / 1e6:.0f} MB, one run each\n"]
    lines += ["| what | s | CPU s | peak MiB | MB/s | did |", "|---|---:|---:|---:|---:|---|"]
    for name, cost in peers:
        rate = f"{fio_bytes / 1e6 / cost.seconds:.1f}"
        lines.append(f"| {name} | {_figures(cost)} | {rate} | {cost.output.strip('{}')} |")
    return "\n".join([*lines, ""])


def _figures(cost: Cost) -> str:
    return f"{cost.seconds:.1f} | {cost.cpu_seconds:.1f} | {cost.peak_bytes / 2**20:.0f}"


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
    folders = sorted(folder.resolve() for folder in arguments.folders)
    if len({folder.parent for folder in folders}) > 1:
        parser.error("the checkouts have to lie in one folder")
    warehouse = BENCH / "corpus"
    costs = load(folders, warehouse)
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        fio_bytes = stage(connection, BENCH / "corpus-fio")
        peers = list(compare(BENCH / "corpus-fio"))
        text = as_markdown(folders, connection, costs, peers, fio_bytes)
    print(text)
    if arguments.write:
        (ROOT / "benchmarks/CORPUS.md").write_text(text)


if __name__ == "__main__":
    main()
