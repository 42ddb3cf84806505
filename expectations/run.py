"""Runs the suites on a DuckDB file and returns what each check found."""

import datetime
import json
import os
from pathlib import Path
from typing import Any

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")

import great_expectations as gx
import great_expectations.expectations as gxe
import polars as pl
from great_expectations.expectations.expectation import Expectation

import expectations.duckdb_dialect  # noqa: F401 - registers it
from expectations.results import CHECK_RESULTS
from expectations.suites import suites

_SAMPLE_ROWS = 5


def run_checks(database: Path) -> pl.DataFrame:
    """Check the file, read-only: one row a check, in the shape of CHECK_RESULTS."""
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_sql(
        name="building",
        connection_string=f"duckdb:///{database}",
        kwargs={"connect_args": {"read_only": True}},
    )
    rows = []
    for (schema, table), checks in suites().items():
        asset = source.add_query_asset(f"{schema}.{table}", query=f"select * from {schema}.{table}")
        batch = asset.add_batch_definition_whole_table("all").get_batch()
        rows += [_run_check(batch, f"{schema}.{table}", check) for check in checks]
    return pl.DataFrame(rows, schema=CHECK_RESULTS)


def _run_check(batch: Any, table: str, check: Expectation) -> dict[str, Any]:
    """A check that could not be run counts as failed, with its error as what was observed."""
    is_rule = isinstance(check, gxe.UnexpectedRowsExpectation)
    outcome = batch.validate(check, result_format="COMPLETE" if is_rule else "SUMMARY")
    errors = [error["exception_message"] for error in _exceptions(outcome.exception_info)]
    result = outcome.result
    if is_rule:
        failing = result.get("observed_value")
        sample = result.get("details", {}).get("unexpected_rows")
    else:
        failing = result.get("unexpected_count")
        sample = result.get("partial_unexpected_list")
    return {
        "check_id": f"{table}.{check.meta['check_id']}",
        "table_name": table,
        "description": check.description,
        "severity": check.severity.value,
        "is_passed": outcome.success and not errors,
        "observed": "; ".join(errors) or str(result.get("observed_value", failing)),
        "failing_row_count": failing,
        "sample_rows": json.dumps(sample[:_SAMPLE_ROWS], default=str) if sample else None,
        "bound": check.meta.get("bound"),
        "checked_at": datetime.datetime.now(datetime.UTC).replace(tzinfo=None),
    }


def _exceptions(info: dict[str, Any]) -> list[dict[str, Any]]:
    found = [info] if "raised_exception" in info else list(info.values())
    return [exception for exception in found if exception.get("raised_exception")]
