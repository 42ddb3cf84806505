"""`headroom publish`: publish a release and have Grafana reload it."""

import os
from pathlib import Path

import click
import duckdb

from headroom.engines.duckdb.build_state import note_release
from headroom.release.checks import CHECKS, failed_critical_checks
from headroom.release.history import Night, prepare_history, record_night
from headroom.release.releases import fault_of, prune, release_nights, release_warehouse
from headroom.release.restore import archive_ledger
from headroom.release.space import require_space
from headroom.release.stage import require_stage
from headroom.warehouse import ChecksFailed, Warehouse
from ingest.records.recorder import utc_now

KEPT_RELEASES = 5
_GRAFANA_TIMEOUT_SECONDS = 10

_EMPTY = """
    select
        not exists (from marts.measurements) and bool_and(parser = 'fio_log') is not false,
        count(*), (select count(distinct path) from quality.quarantined_files)
    from raw.files where file_id in (select file_id from raw.sources where is_current)
"""


def refuse_empty_release(warehouse: Warehouse, connection: duckdb.DuckDBPyConnection) -> None:
    """Raises ChecksFailed if a first release would have no measurements."""
    ((is_empty, logs, refused),) = connection.execute(_EMPTY).fetchall()
    if not is_empty or warehouse.was_published(warehouse.published):
        return
    counts = {"fio log% waiting for JSON results": logs, "file% that cannot be read": refused}
    found = [f"{n:,} {what.replace('%', 's' * (n > 1))}" for what, n in counts.items() if n]
    counted = ", ".join(found) or "no results were found"
    raise ChecksFailed(f"nothing to publish yet: {counted}")


def publish(warehouse: Warehouse, night: Night | None = None) -> str:
    """Publish building.duckdb with the end of the night in it; returns the release's name.

    Raises WarehouseError if it is not built and checked, ChecksFailed if a critical check failed.
    """
    require_space(warehouse, "publish")
    with warehouse.open_building() as connection:
        prepare_history(connection)
        require_stage(connection, "checked")
        failed = failed_critical_checks(connection)
        if failed:
            raise ChecksFailed(f"critical checks failed, nothing published: {', '.join(failed)}")
    name = _release_name("headroom")

    def amend(release: duckdb.DuckDBPyConnection) -> None:
        if night:
            night.end("published", release=name)
            record_night(release, night)

    release_warehouse(warehouse, name, amend)
    with warehouse.open_building() as connection:
        note_release(connection, name, CHECKS)
    return name


def publish_nights(warehouse: Warehouse) -> None:
    """Publish the history, delete old releases; prints Grafana's answer."""
    archive_ledger(warehouse)
    is_lost(warehouse, warehouse.nights)
    release_nights(warehouse, _release_name("nights"))
    prune(warehouse, KEPT_RELEASES)
    if grafana := reload_grafana():
        click.echo(grafana)


def is_lost(warehouse: Warehouse, link: Path) -> bool:
    """Whether the release behind a link is lost; prints why, since it is published anew."""
    fault = fault_of(warehouse, link)
    if fault:
        click.echo(f"headroom: {fault}; publishing it anew", err=True)
    return fault is not None


def _release_name(kind: str) -> str:
    return f"{kind}-{utc_now():%Y%m%dT%H%M%S%fZ}.duckdb"


def reload_grafana() -> str | None:
    """Have Grafana reload the data source: until then it keeps the old file open."""
    url = os.environ.get("GRAFANA_URL")
    if not url:
        return None
    import requests  # a sixth of a second

    login = (os.environ.get("GRAFANA_USER", "admin"), os.environ.get("GRAFANA_PASSWORD", ""))
    try:
        answer = requests.post(
            f"{url.rstrip('/')}/api/admin/provisioning/datasources/reload",
            auth=login,
            timeout=_GRAFANA_TIMEOUT_SECONDS,
        )
        answer.raise_for_status()
    except (requests.RequestException, ValueError) as error:
        return f"{url}: NOT reloaded, it shows the old release until it restarts: {error}"
    return f"{url}: reloaded ({answer.status_code})"
