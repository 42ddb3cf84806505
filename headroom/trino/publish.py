"""`python -m headroom.trino publish`: readers see another night as a whole, or the one before."""

import polars as pl
import trino

from headroom.built import Node
from headroom.history import NIGHTLY_RUNS, Night
from headroom.publish import ChecksFailed
from headroom.trino import releases
from headroom.trino.library import create_functions
from headroom.trino.load import run
from headroom.trino.quality import add, failed_critical_checks, make_history, require_stage
from headroom.warehouse import WarehouseError
from ingest.records.recording import utc_now

_ALSO = "quality.check_results"


def publish(cluster: trino.dbapi.Connection, nodes: list[Node]) -> str:
    """Publish the marts among the nodes, built and checked on Trino; the release's name.

    Raises:
        WarehouseError: not built or not checked since the last change.
        ChecksFailed: a critical check failed.
    """
    make_history(cluster)
    require_stage(cluster, "checked")
    if failed := failed_critical_checks(cluster):
        raise ChecksFailed(f"critical checks failed, nothing published: {', '.join(failed)}")
    create_functions(cluster)  # for marts that are views
    night = Night()
    name = f"{utc_now():%Y%m%dT%H%M%S%fZ}"
    marts = [node.name for node in nodes if node.name.startswith("marts.")]
    releases.prepare(cluster)
    releases.copy(cluster, name, [*marts, _ALSO])
    require_stage(cluster, "checked")  # no build has begun since
    releases.point(cluster, name)
    night.end("published", release=name)
    _record(cluster, night)
    releases.prune(cluster)
    return name


def _record(cluster: trino.dbapi.Connection, night: Night) -> None:
    """What later checks hold against this publication."""
    ((night.measurement_count,),) = run(cluster, "select count(*) from marts.measurements")
    ((night.source_retired_count,),) = run(
        cluster, "select count(*) from raw.sources where not is_current"
    )
    ((night.check_passed_count, night.check_failed_count),) = run(
        cluster,
        "select count_if(is_passed), count_if(not is_passed) "
        "from quality.check_results where is_latest",
    )
    night.critical_failed_count = 0
    add(cluster, "quality.nightly_runs", pl.DataFrame([vars(night)], schema=NIGHTLY_RUNS))


def rollback(cluster: trino.dbapi.Connection, release: str | None = None) -> str:
    """Have readers see this release again, or the one before the current one; its name.

    Raises:
        WarehouseError: there is no such release.
    """
    releases.prepare(cluster)
    known, current = releases.releases(cluster), releases.current(cluster)
    if current is None:
        raise WarehouseError("nothing is published yet; run: python -m headroom.trino ... publish")
    before = [name for name in known if name < current]
    wanted = release or (before[-1] if before else None)
    if wanted not in known:
        which = f"no release {release}" if release else f"no release before {current}"
        raise WarehouseError(f"{which}; there are: {', '.join(known)}")
    releases.point(cluster, wanted)
    return wanted
