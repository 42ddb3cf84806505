"""The commands that change the warehouse, or write about a system."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import polars as pl

from headroom import show, steps
from headroom.acknowledge import acknowledge as acknowledge_change
from headroom.checks import checks_process
from headroom.cli import EXIT_CHECKS_FAILED, command
from headroom.history import prepare_history
from headroom.nightly import nightly as run_nightly
from headroom.state import set_stage
from headroom.warehouse import Warehouse
from ingest.errors import InputError
from ingest.project import IS_INSTALLED, project_folder
from ingest.records.tables import prepare
from ingest.reparse import reparse as reparse_archive
from ingest.sources import SIDECAR_FILE
from ingest.systems.describe.draft import describe as describe_results
from ingest.systems.describe.here import SCRIPT
from ingest.systems.describe.ranking import READER_OF

PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))


@command(
    "headroom ingest data",
    "headroom ingest results/2026-11-20 results/other.json.gz",
    "headroom ingest --dry-run results.tar.gz",
)
@PATHS
@click.option("--strict", is_flag=True, help="Exit 1 if anything was quarantined.")
@click.option("--dry-run", is_flag=True, help="Say what would become of each file; write nothing.")
def ingest(warehouse: Warehouse, paths: tuple[Path, ...], strict: bool, dry_run: bool) -> None:
    """Load files and folders into the file that is being built.

    What is already there is left alone. What cannot be read is quarantined with the reason; a paper
    that cannot be read is an error, since papers are kept by hand. docs/ingest.md has the details.
    """
    with nullcontext() if dry_run else warehouse.lock():
        found = (steps.rehearse_ingest if dry_run else steps.ingest)(warehouse, paths)
        steps.refuse_bad_papers(found)
    if strict and any(outcome.status == "quarantined" for outcome in found):
        sys.exit(EXIT_CHECKS_FAILED)


@command("headroom reparse", "headroom reparse --all")
@click.option("--all", "everything", is_flag=True, help="Also what these parsers read already.")
def reparse(warehouse: Warehouse, everything: bool) -> None:
    """Read the archive again with the parsers of this version.

    Contents that an older version read or refused are parsed anew, wherever their files are now.
    """
    with warehouse.lock(), warehouse.open_building() as connection:
        prepare(connection)
        set_stage(connection, "ingested")
        count, again = reparse_archive(connection, warehouse.archive, everything=everything)
        found = show.progress(again, count)
    show.outcomes(found)


def _tool_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for kind in reversed(READER_OF):
        function = click.option(
            f"--{kind}", multiple=True, metavar="FILE",
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help=f"What {kind} printed; may be given several times.",
        )(function)  # fmt: skip
    return function


@command(
    "headroom describe results/raid5",
    "headroom describe results/raid5 --lsblk lsblk.json --smartctl sda.json --storcli c0.json",
    "headroom describe results/raid5 --here --write",
)
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@_tool_options
@click.option("--here", is_flag=True, help="Capture THIS machine; FILEs go before what it says.")
@click.option("--write", is_flag=True, help="Write PATH/headroom.yml; one that exists stays.")
def describe(
    warehouse: Warehouse, path: Path, here: bool, write: bool, **files: tuple[Path, ...]
) -> None:
    """Write a first headroom.yml for the results in PATH.

    It has what the results, the folder system/ that `headroom capture` made beside them and FILEs
    say, with the source behind each value; what they do not say is left open. docs/system.md has
    what is read.
    """
    target = path / SIDECAR_FILE
    if write and target.exists():
        raise InputError(target, "is there already; without --write the new one is only shown")
    given = {kind: list(paths) for kind, paths in files.items()}
    text = describe_results(path, given, is_here=here)
    if write:
        target.write_text(text)
    click.echo(f"wrote {target}: check it" if write else text, nl=write)


@command(
    "headroom capture > capture.sh",
    "scp capture.sh server: && ssh server sudo sh capture.sh /srv/fio-results",
)
def capture(warehouse: Warehouse) -> None:
    """Print a script for the machine under test; what it writes beside results describes them.

    The script needs a shell and nothing else, and writes the folder system/ with what the tools of
    the machine print. docs/system.md says what is in it.
    """
    click.echo(SCRIPT.read_text(), nl=False)


@command("headroom forget --dry-run results/2026-11-20", "headroom forget results/broken.json")
@PATHS
@click.option("--dry-run", is_flag=True, help="Say what would be forgotten; write nothing.")
def forget(warehouse: Warehouse, paths: tuple[Path, ...], dry_run: bool) -> None:
    """Take results at or below PATHS out of the marts from the next build on.

    For files that are deleted, or should not have been loaded. Their contents stay in the archive;
    what still exists comes back when it is ingested again.
    """
    if dry_run:
        steps.rehearse_forget(warehouse, paths)
    else:
        with warehouse.lock():
            steps.forget(warehouse, paths)


@command("headroom build")
def build(warehouse: Warehouse) -> None:
    """Build the marts with dbt: seeds, models, data tests; and the models' unit tests.

    A night leaves the unit tests out: they try the models, which do not change at night.
    """
    with warehouse.lock():
        steps.build(warehouse, with_unit_tests=True)


@command("headroom check")
def check(warehouse: Warehouse) -> None:
    """Run the data-quality checks on what was built; exit 1 if a critical one fails."""
    with warehouse.lock(), checks_process() as checks:
        results, _ = steps.check(warehouse, checks)
        steps.publish_nights(warehouse)
    if not results.filter(~pl.col("is_passed"), severity="critical").is_empty():
        sys.exit(EXIT_CHECKS_FAILED)


@command('headroom acknowledge 3f2a9c1e --reason "firmware 4.680, ticket 812"')
@click.argument("change")
@click.option("--reason", required=True, help="Why it changed; quality.change_points shows it.")
def acknowledge(warehouse: Warehouse, change: str, reason: str) -> None:
    """Mute a CHANGE of repeated measurements that you know the reason for.

    CHANGE is the id that `headroom check` prints before it; its first digits are enough.
    """
    with warehouse.lock():
        with warehouse.open_building() as connection:
            prepare_history(connection)
            known = acknowledge_change(connection, change, reason)
        steps.publish_nights(warehouse)
    click.echo(f"acknowledged: {known}")


@command("headroom publish", "GRAFANA_URL=http://localhost:3000 headroom publish")
def publish(warehouse: Warehouse) -> None:
    """Make what was built and checked the published file, atomically.

    With GRAFANA_URL set (and GRAFANA_USER, GRAFANA_PASSWORD), Grafana is told to read it.
    """
    with warehouse.lock():
        steps.publish(warehouse)
        steps.publish_nights(warehouse)


@command("headroom nightly data", "headroom nightly --papers /srv/fio-results")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--papers/--no-papers",
    default=IS_INSTALLED,
    help="Also the papers and the catalog that come with Headroom.  [default: --papers where it is "
    "installed from a wheel; a clone has them in the folder data]",
)
@click.option("--samples", is_flag=True, help="Also the fio runs that come with it, to try it out.")
def nightly(warehouse: Warehouse, paths: tuple[Path, ...], papers: bool, samples: bool) -> None:
    """Ingest PATHS, build, check and publish; a failure leaves the published file as it was.

    What came of it is kept in quality.nightly_runs and nightly.log, and posted to
    HEADROOM_WEBHOOK_URL if that is set.
    """
    shipped = ["white_papers", "catalog"] * papers + ["samples"] * samples
    run_nightly(warehouse, (*(project_folder(f"data/{name}") for name in shipped), *paths))
