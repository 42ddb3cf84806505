"""Runs the checks with Great Expectations; returns their results, and writes its Data Docs."""

import datetime
import itertools
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")

import great_expectations as gx
import great_expectations.expectations as gxe
import polars as pl

from expectations.suite import CHECK_RESULTS, Check, checks

_SAMPLE_ROWS = 5
# For large files DuckDB spills to disk.
_LIMITS = {"memory_limit": "2GB", "max_temp_directory_size": "50GB"}


def run_checks(database: Path, run_id: str | None = None, docs: Path | None = None) -> pl.DataFrame:
    """Run all checks on a DuckDB file; one row each, critical ones first. Writes Data Docs."""
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_sql(
        name="building",
        connection_string=f"duckdb:///{database}",
        kwargs={"connect_args": {"read_only": True, "config": _LIMITS}},
    )
    # GX gives its connection back before it fetches the rows: a rollback would drop them.
    dialect = source.get_execution_engine().engine.dialect
    dialect.do_begin = dialect.do_rollback = lambda connection: None
    checkpoint = gx.Checkpoint(
        name="checks",
        validation_definitions=[
            _validation(context, source, table, list(of_table))
            for table, of_table in itertools.groupby(checks(), key=lambda check: check.table)
        ],
        result_format="COMPLETE",
    )
    run = context.checkpoints.add(checkpoint).run(run_id=gx.RunIdentifier(run_name=run_id))
    # Both keep the file open.
    source.get_engine().dispose()
    source.get_execution_engine().close()
    if docs:
        _write_docs(context, docs)
    rows = [
        _row(validation.suite_name, outcome)
        for validation in run.run_results.values()
        for outcome in validation.results
    ]
    return pl.DataFrame(rows, schema=CHECK_RESULTS).sort("severity", maintain_order=True)


def _validation(context: Any, source: Any, table: str, of_table: list[Check]) -> Any:
    asset = source.add_query_asset(table, query=f"select * from {table}")
    data = asset.add_batch_definition_whole_table("all")
    rules = [_expectation(check) for check in of_table]
    suite = context.suites.add(gx.ExpectationSuite(name=table, expectations=rules))
    definition = gx.ValidationDefinition(name=table, data=data, suite=suite)
    return context.validation_definitions.add(definition)


def _expectation(check: Check) -> gxe.UnexpectedRowsExpectation:
    # Great Expectations' name for the table of the check.
    query = re.sub(rf"{re.escape(check.table)}\b", "{batch}", check.failing_rows)
    return gxe.UnexpectedRowsExpectation(
        unexpected_rows_query=query,
        description=check.description,
        severity=check.severity,
        meta={"name": check.name, "bound": check.bound},
    )


def _write_docs(context: Any, folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    site = {
        "class_name": "SiteBuilder",
        "show_how_to_buttons": False,
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        "store_backend": {
            "class_name": "TupleFilesystemStoreBackend",
            "base_directory": str(folder),
        },
    }
    context.add_data_docs_site("checks", site)
    context.build_data_docs(["checks"])


def _row(table: str, outcome: Any) -> dict[str, Any]:
    """A check that crashed has failed, with its error as the observed value."""
    errors = [error["exception_message"] for error in _exceptions(outcome.exception_info)]
    check, result = outcome.expectation_config, outcome.result
    observed = result.get("observed_value")
    sample = result.get("details", {}).get("unexpected_rows") or []
    shown = json.dumps(sample[:_SAMPLE_ROWS], default=str, ensure_ascii=False)
    return {
        "check_id": f"{table}.{check.meta['name']}",
        "table_name": table,
        "description": check.description,
        "severity": check.severity.value,
        "is_passed": outcome.success and not errors,
        "observed": "; ".join(errors) or str(observed),
        "failing_row_count": observed,
        "sample_rows": shown if sample else None,
        "bound": check.meta.get("bound"),
        "checked_at": datetime.datetime.now(datetime.UTC).replace(tzinfo=None),
    }


def _exceptions(info: dict[str, Any]) -> list[dict[str, Any]]:
    found = [info] if "raised_exception" in info else list(info.values())
    return [exception for exception in found if exception.get("raised_exception")]
