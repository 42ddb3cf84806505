"""`python -m headroom.trino check`: the same checks as DuckDB's, on what was built on Trino."""

from collections.abc import Callable

import duckdb
import polars as pl
import trino
from sqlalchemy.engine import URL

from expectations.run import Engine, run_checks
from expectations.suite import Check
from headroom.trino.known import Known
from headroom.trino.library import create_functions
from headroom.trino.quality import add, make_history, require_stage, set_stage
from headroom.trino.translate import translate
from ingest.records.recording import utc_now


def check(warehouse: duckdb.DuckDBPyConnection, cluster: trino.dbapi.Connection) -> pl.DataFrame:
    """Run the checks and keep what they found in `quality.check_results`, on Trino.

    Raises:
        WarehouseError: the last build has not ended, or a model could not be built.
    """
    require_stage(cluster, "built")
    set_stage(cluster, "built")
    create_functions(cluster)
    make_history(cluster)
    run_id = f"{utc_now():%Y%m%dT%H%M%SZ}"
    results = run_checks(_engine(cluster, queries(warehouse)), run_id)
    told = results.with_columns(pl.lit(run_id).alias("run_id"), pl.lit(True).alias("is_latest"))
    add(cluster, "quality.check_results", told)
    set_stage(cluster, "checked")
    return results


def queries(warehouse: duckdb.DuckDBPyConnection) -> Callable[[Check], str]:
    """What selects the failing rows of a check, in Trino's SQL."""
    known = Known(warehouse)
    return lambda check: translate(check.failing_rows, known, known.columns(check.failing_rows))


def _engine(cluster: trino.dbapi.Connection, failing_rows: Callable[[Check], str]) -> Engine:
    url = URL.create(
        "trino", cluster.user, host=cluster.host, port=cluster.port, database=cluster.catalog
    )
    return Engine(
        url.render_as_string(hide_password=False),
        {},
        lambda check: as_template(failing_rows(check)),
    )


def as_template(query: str) -> str:
    """The query as Great Expectations and SQLAlchemy read it, who look for braces and colons.

    It names the check's table itself, so that the batch, which has to be somewhere, is a comment.
    """
    plain = query.replace("{", "{{").replace("}", "}}").replace(":", "\\:")
    return f"/* {{batch}} */ {plain}"
