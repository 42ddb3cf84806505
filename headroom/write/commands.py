"""The commands that change the warehouse, and `capture` and `describe`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import polars as pl

from headroom import terminal
from headroom.cli import EXIT_CHECKS_FAILED, command
from headroom.release import publish as publication
from headroom.release.acknowledge import acknowledge as acknowledge_change
from headroom.release.checks import check as check_building
from headroom.release.checks import checks_process
from headroom.release.failed_checks import failed_checks
from headroom.release.history import prepare_history
from headroom.release.restore import archive_ledger, restore_if_lost
from headroom.release.restore import restore as restore_building
from headroom.release.stage import set_stage
from headroom.warehouse import Warehouse, WarehouseError
from headroom.write import night_steps
from headroom.write import verify as verification
from headroom.write.ingest_summary import outcomes
from headroom.write.nightly import nightly as run_nightly
from ingest.common.errors import InputError
from ingest.common.project_folder import IS_INSTALLED, project_folder
from ingest.find.sources import SIDECAR_FILE
from ingest.records.raw_tables import make_tables
from ingest.reparse import reparse as reparse_archive
from ingest.systems.describe.draft import describe as describe_results
from ingest.systems.describe.ranking import READER_OF
from ingest.systems.describe.system import SCRIPT

PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
FOLLOW = click.option(
    "--follow", multiple=True, metavar="FOLDER", envvar="HEADROOM_FOLLOW",
    type=click.Path(path_type=Path),
    help="Follow links out of PATHS into this folder; may be given several times.  "
    "[env: HEADROOM_FOLLOW, with colons between]",
)  # fmt: skip
VERBOSE = click.option(
    "--verbose", "-v", is_flag=True, help="List every quarantined file, not one for each reason."
)


@command(
    "headroom ingest data",
    "headroom ingest results/2026-11-20 results/other.json.gz",
    "headroom ingest --dry-run results.tar.gz",
)
@PATHS
@FOLLOW
@click.option("--strict", is_flag=True, help="Exit 1 if anything was quarantined.")
@click.option(
    "--dry-run", is_flag=True, help="Print what would happen to each file; write nothing."
)
@VERBOSE
def ingest(
    warehouse: Warehouse,
    paths: tuple[Path, ...],
    follow: tuple[Path, ...],
    strict: bool,
    dry_run: bool,
    verbose: bool,
) -> None:
    """Load files and folders into the warehouse being built.

    Unchanged files are skipped. Files that cannot be read are quarantined with the reason; a paper
    that cannot be read is an error. docs/ingest.md has the details.
    """
    if dry_run:
        found = night_steps.rehearse_ingest(warehouse, paths, follow)
    else:
        with warehouse.lock():
            restore_if_lost(warehouse)
            found = night_steps.ingest(warehouse, paths, follow)
        outcomes(found, is_verbose=verbose)
    night_steps.refuse_bad_papers(found)
    if strict and any(outcome.status == "quarantined" for outcome in found):
        sys.exit(EXIT_CHECKS_FAILED)


@command("headroom reparse", "headroom reparse --all")
@click.option("--all", "everything", is_flag=True, help="Also files that these parsers have read.")
@VERBOSE
def reparse(warehouse: Warehouse, everything: bool, verbose: bool) -> None:
    """Parse the archived files again with this version's parsers.

    Files that an older version read or refused are parsed again, even if they were moved or
    deleted since.
    """
    with warehouse.lock():
        with warehouse.open_building() as connection:
            make_tables(connection)
            set_stage(connection, "ingested")
            count, again = reparse_archive(connection, warehouse.archive, everything=everything)
            found = terminal.progress(again, count)
        archive_ledger(warehouse)
    outcomes(found, is_verbose=verbose)


def _tool_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for kind in reversed(READER_OF):
        function = click.option(
            f"--{kind}", multiple=True, metavar="FILE",
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help=f"Output of {kind}; may be given several times.",
        )(function)  # fmt: skip
    return function


@command(
    "headroom describe results/raid5",
    "headroom describe results/raid5 --lsblk lsblk.json --smartctl sda.json --storcli c0.json",
    "headroom describe results/raid5 --here --write",
)
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@_tool_options
@click.option("--here", is_flag=True, help="Capture THIS machine; FILEs override it.")
@click.option("--write", is_flag=True, help="Write PATH/headroom.yml unless it exists.")
def describe(
    warehouse: Warehouse, path: Path, here: bool, write: bool, **files: tuple[Path, ...]
) -> None:
    """Draft a headroom.yml for the results in PATH.

    It combines the results, the folder system/ that `headroom capture` made beside them, and FILEs.
    Each value names its source; missing values are left open. docs/system.md lists what is read.
    """
    target = path / SIDECAR_FILE
    if write and target.exists():
        raise InputError(target, "already exists; omit --write to print the draft")
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
    """Print a script that captures the machine under test.

    The script needs only a shell. It writes the output of the machine's tools to a folder system/
    beside the results. docs/system.md lists the files.
    """
    click.echo(SCRIPT.read_text(), nl=False)


@command("headroom forget --dry-run results/2026-11-20", "headroom forget results/broken.json")
@PATHS
@click.option("--dry-run", is_flag=True, help="List what would be forgotten; write nothing.")
def forget(warehouse: Warehouse, paths: tuple[Path, ...], dry_run: bool) -> None:
    """Remove results at or below PATHS from the marts, at the next build.

    For files that are deleted or should not have been loaded. Their contents stay in the archive;
    files that still exist are loaded again by the next ingest.
    """
    if dry_run:
        night_steps.rehearse_forget(warehouse, paths)
    else:
        with warehouse.lock():
            night_steps.forget(warehouse, paths)


@command("headroom build")
def build(warehouse: Warehouse) -> None:
    """Build the marts with dbt: seeds, models, data tests and unit tests.

    `headroom nightly` skips the unit tests: models do not change at night.
    """
    with warehouse.lock():
        night_steps.build(warehouse, with_unit_tests=True)


@command("headroom check")
def check(warehouse: Warehouse) -> None:
    """Run the data-quality checks on what was built; exit 1 if a critical one fails."""
    with warehouse.lock(), checks_process() as checks:
        results, changes = check_building(warehouse, checks)
        failed_checks(results.to_dicts())
        click.echo(f"{results['is_passed'].sum()} of {results.height} checks passed")
        click.echo("\n".join(changes))
        publication.publish_nights(warehouse)
    if not results.filter(~pl.col("is_passed"), severity="critical").is_empty():
        sys.exit(EXIT_CHECKS_FAILED)


@command('headroom acknowledge 3f2a9c1e --reason "firmware 4.680, ticket 812"')
@click.argument("change")
@click.option("--reason", required=True, help="Why it changed; kept in quality.change_points.")
def acknowledge(warehouse: Warehouse, change: str, reason: str) -> None:
    """Mute a known CHANGE of a repeated measurement.

    CHANGE is the id that `headroom check` prints; its first digits are enough.
    """
    with warehouse.lock():
        with warehouse.open_building() as connection:
            prepare_history(connection)
            known = acknowledge_change(connection, change, reason)
        publication.publish_nights(warehouse)
    click.echo(f"acknowledged: {known}")


@command("headroom publish", "GRAFANA_URL=http://localhost:3000 headroom publish")
def publish(warehouse: Warehouse) -> None:
    """Publish the built and checked warehouse, atomically.

    If GRAFANA_URL is set (and GRAFANA_USER, GRAFANA_PASSWORD), Grafana is told to reload it.
    """
    with warehouse.lock():
        click.echo(f"published {warehouse.published} -> {publication.publish(warehouse)}")
        publication.publish_nights(warehouse)


@command("headroom nightly data", "headroom nightly --papers /srv/fio-results")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@FOLLOW
@click.option(
    "--papers/--no-papers",
    default=IS_INSTALLED,
    help="Also load the papers and the catalog that come with Headroom.  [default: --papers if "
    "installed from a wheel; a clone has them in data/]",
)
@click.option("--samples", is_flag=True, help="Also load the sample fio runs that come with it.")
@VERBOSE
def nightly(
    warehouse: Warehouse,
    paths: tuple[Path, ...],
    follow: tuple[Path, ...],
    papers: bool,
    samples: bool,
    verbose: bool,
) -> None:
    """Ingest PATHS, build, check and publish; a failure leaves the published file as it was.

    The outcome is kept in quality.nightly_runs and nightly.log, and posted to
    HEADROOM_WEBHOOK_URL if set.
    """
    shipped = ["white_papers", "catalog"] * papers + ["samples"] * samples
    shipped_paths = (project_folder(f"data/{name}") for name in shipped)
    run_nightly(warehouse, (*shipped_paths, *paths), follow, is_verbose=verbose)


@command(
    "mkdir restored && cp --recursive warehouse/archive restored && "
    "headroom restore --warehouse restored"
)
def restore(warehouse: Warehouse) -> None:
    """Rebuild building.duckdb from the newest undamaged release and archive/, or archive/ alone.

    Use it in an empty folder with a copy of archive/; then `headroom nightly` builds and publishes.
    `headroom nightly` by itself rebuilds a missing or damaged building.duckdb.
    """
    if not warehouse.folder.exists():
        raise WarehouseError(f"{warehouse.folder}: there is no such folder")
    with warehouse.lock():
        restored = restore_building(warehouse)
    click.echo("next: headroom nightly builds and publishes")
    if restored.lost:
        sys.exit(EXIT_CHECKS_FAILED)


@command("headroom verify", "headroom verify --repair")
@click.option(
    "--repair", is_flag=True, help="Rewrite damaged files from their source or another copy."
)
def verify(warehouse: Warehouse, repair: bool) -> None:
    """Check the archive, building.duckdb and the releases against checksums; exit 1 on damage.

    --repair rewrites damaged files from their source, if it still exists, or from another copy, and
    moves damaged packs to archive/damaged/. Damage that it cannot repair is listed.
    """
    if not warehouse.folder.exists():
        raise WarehouseError(f"{warehouse.folder}: there is no such folder")
    with warehouse.lock():
        found = verification.verify(warehouse)
        is_sound = verification.print_damage(found)
        if repair and not is_sound:
            verification.repair(warehouse, found)
            click.echo("after the repair:")
            is_sound = verification.print_damage(verification.verify(warehouse))
    if not is_sound:
        remedy = "restore the listed files from a backup; loaded results are not affected"
        click.echo("headroom: " + (remedy if repair else "run: headroom verify --repair"), err=True)
        sys.exit(EXIT_CHECKS_FAILED)
