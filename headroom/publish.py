"""`headroom publish`: a new release, an atomic flip, and a word to Grafana."""

import base64
import datetime
import os
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from headroom.checks import failed_critical_checks
from headroom.state import require_stage
from headroom.warehouse import Warehouse, WarehouseError

KEPT_RELEASES = 5
_GRAFANA_TIMEOUT_SECONDS = 10


class ChecksFailed(WarehouseError):
    """What was built is not fit to be published."""


@dataclass(frozen=True)
class Publication:
    release: Path
    grafana: str | None
    """What Grafana answered, when GRAFANA_URL is set."""


def publish(warehouse: Warehouse) -> Publication:
    """Publish what was built and checked.

    Raises:
        WarehouseError: not built or not checked since the last change.
        ChecksFailed: a critical check failed.
    """
    with warehouse.open_building() as connection:
        require_stage(connection, "checked")
        failed = failed_critical_checks(connection)
        if failed:
            raise ChecksFailed(f"critical checks failed, nothing published: {', '.join(failed)}")
        connection.execute("checkpoint")
    now = datetime.datetime.now(datetime.UTC)
    release = warehouse.publish_copy(f"headroom-{now:%Y%m%dT%H%M%S%fZ}.duckdb")
    warehouse.prune(KEPT_RELEASES)
    return Publication(release, _tell_grafana())


def _tell_grafana() -> str | None:
    """Have the data source opened anew: Grafana keeps the old file until it is told."""
    url = os.environ.get("GRAFANA_URL")
    if not url:
        return None
    endpoint = f"{url.rstrip('/')}/api/admin/provisioning/datasources/reload"
    login = f"{os.environ.get('GRAFANA_USER', 'admin')}:{os.environ.get('GRAFANA_PASSWORD', '')}"
    header = {"Authorization": "Basic " + base64.b64encode(login.encode()).decode()}
    try:
        request = urllib.request.Request(endpoint, method="POST", headers=header)
        with urllib.request.urlopen(request, timeout=_GRAFANA_TIMEOUT_SECONDS) as answer:
            return f"{url}: reloaded ({answer.status})"
    except (OSError, ValueError) as error:
        return f"{url}: NOT reloaded, it shows the old release until it restarts: {error}"
