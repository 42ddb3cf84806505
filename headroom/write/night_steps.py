"""The steps of a night, as the commands run them: each prints its outcome."""

from pathlib import Path

import click
import duckdb
import polars as pl

from headroom import terminal
from headroom.engines.duckdb.build import bring_up_to_date
from headroom.engines.duckdb.build import build as build_marts
from headroom.engines.duckdb.build_state import release_of
from headroom.release.checks import CHECKS, changes_of, unchanged_results
from headroom.release.publish import is_lost, publish
from headroom.release.releases import fall_back, fault_of
from headroom.release.restore import archive_ledger
from headroom.release.space import require_space
from headroom.release.stage import set_stage
from headroom.warehouse import Child, Warehouse, WarehouseError
from headroom.write.ingest_summary import rehearsal
from ingest.common.paths import real_path
from ingest.find.sources import find_sources
from ingest.forget import forget as forget_places
from ingest.forget import is_gone, known_places, places_below
from ingest.load import load
from ingest.records.raw_tables import make_tables
from ingest.records.recorder import Outcome


def ingest(
    warehouse: Warehouse, paths: tuple[Path, ...], follow: tuple[Path, ...] = ()
) -> list[Outcome]:
    """Load the files at the paths; the caller prints the outcomes."""
    require_space(warehouse, "ingest")
    sources = find_sources(paths, follow)
    with warehouse.open_building(must_exist=False) as connection:
        make_tables(connection)
        set_stage(connection, "ingested")
        loading = load(connection, sources, warehouse.archive, is_apart=True)
        found = terminal.progress(loading, len(sources.files))
    archive_ledger(warehouse)
    return found


def rehearse_ingest(
    warehouse: Warehouse, paths: tuple[Path, ...], follow: tuple[Path, ...] = ()
) -> list[Outcome]:
    """Print the outcome of each source; nothing is written."""
    sources = find_sources(paths, follow)
    with warehouse.open_rehearsal() as connection:
        make_tables(connection)
        loading = load(connection, sources, None, is_apart=True)
        found = terminal.progress(loading, len(sources.files))
    rehearsal(found)
    return found


def forget(warehouse: Warehouse, paths: tuple[Path, ...]) -> None:
    with warehouse.open_building() as connection:
        make_tables(connection)
        set_stage(connection, "ingested")
        forgotten = _forget(connection, paths)
    archive_ledger(warehouse)
    click.echo(f"{forgotten} forgotten")


def rehearse_forget(warehouse: Warehouse, paths: tuple[Path, ...]) -> None:
    """Print the places that would be forgotten; nothing is written."""
    with warehouse.open_rehearsal() as connection:
        make_tables(connection)
        for place in places_below(known_places(connection), paths):
            click.echo(place)
        click.echo(f"dry run, nothing is written: {_forget(connection, paths)}")


def _forget(connection: duckdb.DuckDBPyConnection, paths: tuple[Path, ...]) -> str:
    """Forget the places; returns counts. Warns on stderr of unknown paths and existing files."""
    places = places_below(known_places(connection), paths)
    for path in paths:
        if not places_below(places, [path]):
            click.echo(f"headroom: {path}: nothing to forget", err=True)
    if existing := [place for place in places if not is_gone(real_path(place), ())]:
        more = f" and {len(existing) - 1} more" if existing[1:] else ""
        text = "still exists: the next ingest loads it again"
        click.echo(f"headroom: {existing[0]}{more}: {text}", err=True)
    sources, refused = forget_places(connection, paths)
    return f"{sources} sources and {refused} quarantine entries"


def refuse_bad_papers(found: list[Outcome]) -> None:
    """Raises WarehouseError: papers are maintained by hand, so a broken one must be fixed."""
    bad_papers = [
        str(Path(outcome.path).parent)
        for outcome in found
        if outcome.status == "quarantined" and outcome.parser == "white_paper"
    ]
    if bad_papers:
        raise WarehouseError(f"{', '.join(bad_papers)}: not loaded; fix the lines listed above")


def build(warehouse: Warehouse, *, with_unit_tests: bool, dbt: Child | None = None) -> None:
    require_space(warehouse, "build")
    click.echo("building the marts with dbt ...", err=True)
    build_marts(warehouse, with_unit_tests=with_unit_tests, dbt=dbt)
    click.echo("built")


def build_what_is_new(warehouse: Warehouse, dbt: Child | None = None) -> None:
    """Build what changed results affect, or everything with dbt if the models have changed."""
    require_space(warehouse, "build")
    count = bring_up_to_date(warehouse)
    if count is None:
        build(warehouse, with_unit_tests=False, dbt=dbt)
    elif count:
        click.echo(f"built what is new, without dbt: {count} tables changed")
    else:
        click.echo("nothing new since the last build")


def unchanged_release(
    warehouse: Warehouse, run_id: str
) -> tuple[str, pl.DataFrame, list[str]] | None:
    """The published release, its checks and changes, if the night would publish the same again."""
    with warehouse.open_building() as connection:
        release = _release_of_build(warehouse, connection)
        if release is None or is_lost(warehouse, warehouse.published):
            return None
        results = unchanged_results(connection, run_id)
        if results is None:
            return None
        changes = changes_of(connection)
    click.echo("nothing new to publish")
    return release, results, changes


def _release_of_build(warehouse: Warehouse, connection: duckdb.DuckDBPyConnection) -> str | None:
    """The published release if it has the current build and checks, even if its file is lost."""
    release = release_of(connection, CHECKS)
    return release if release == warehouse.published.resolve().name else None


def keep_published(warehouse: Warehouse) -> None:
    """If a night publishes nothing, point readers to a release that can be read."""
    fault = fault_of(warehouse, warehouse.published)
    if fault and (release := fall_back(warehouse, warehouse.published)):
        click.echo(f"headroom: {fault}; readers get {release.name}", err=True)


def publish_again(warehouse: Warehouse) -> str | None:
    """Publish the build again if the lost release was made from it; returns the release's name."""
    if not warehouse.building.exists():
        return None
    with warehouse.open_building() as connection:
        if _release_of_build(warehouse, connection) is None:
            return None
    try:
        return publish(warehouse)
    except WarehouseError as error:
        click.echo(f"headroom: {error}", err=True)
        return None
