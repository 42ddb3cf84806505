"""What the commands print: tables and summaries for people, on stdout."""

import shutil
import sys
import time
from collections.abc import Iterable

import click
import duckdb

from ingest.recording import Outcome

_UNBOUNDED = 10_000
SUMMARY_QUERIES: tuple[tuple[str, str], ...] = (
    (
        "Documents",
        """
        select
            documents.document_id, documents.publisher, documents.published_date,
            documents.editions, documents.commissioned_by,
            count(measurements.measurement_id) as measurements
        from marts.dim_documents as documents
        left join marts.measurements as measurements using (document_id)
        group by all order by documents.document_id
        """,
    ),
    (
        "Controllers",
        """
        select
            vendor, string_agg(controller, ', ' order by controller) as controllers,
            controller_generation
        from marts.dim_controllers group by vendor, controller_generation order by all
        """,
    ),
    (
        "Measurements",
        """
        select
            source_format, count(*) as measurements, count(*) filter (not is_valid) as invalid,
            count(distinct profile_id) as load_profiles, count(distinct array_id) as arrays,
            max(measured_at) as newest_utc
        from marts.measurements group by source_format order by source_format
        """,
    ),
    (
        "Claims of the papers, judged on the data",
        """
        select
            document_id, count(*) filter (verdict = 'confirmed') as confirmed,
            count(*) filter (verdict = 'contradicted') as contradicted,
            count(*) filter (verdict = 'not decidable') as not_decidable
        from marts.fct_claims group by document_id order by document_id
        """,
    ),
    (
        "Checks",
        """
        select
            severity, count(*) filter (is_passed) as passed,
            count(*) filter (not is_passed) as failed, max(checked_at) as checked_at_utc
        from quality.check_results group by severity order by severity
        """,
    ),
)
# What a person can mend: title, what to say where there is nothing, query.
FINDING_QUERIES: tuple[tuple[str, str, str], ...] = (
    (
        "Names in a headroom.yml that the catalog does not know: mend them, or define them there",
        "Every name in a headroom.yml is known",
        "from marts.fct_catalog_findings order by kind, name",
    ),
    (
        "Result files that need a headroom.yml (see `headroom describe`); at most 10 folders",
        "Every result file has a headroom.yml",
        """
        select
            folder, count(*) as sources, cast(sum(sources) over () as bigint) as sources_in_all,
            count(*) over () as folders_in_all
        from marts.fct_sources_without_sidecar group by folder order by folder limit 10
        """,
    ),
    (
        "Quarantined",
        "Nothing is quarantined",
        "select path, line, reason from quality.quarantined_files order by path, line",
    ),
)
NEXT_STEPS = (
    (
        "what can be asked",
        "select table_name, comment from duckdb_tables() where schema_name = 'marts'",
    ),
    (
        "which controller for a database, as one paper concludes",
        "select raid_level, controller, as_printed, drive_media, document_id, pages "
        "from marts.measurements where profile_name = 'Database' and page = 49 "
        "order by raid_level, iops desc",
    ),
)


def table(relation: duckdb.DuckDBPyRelation) -> None:
    """All rows, as DuckDB draws them; on a terminal as many columns as fit."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBOUNDED
    relation.show(max_width=width, max_rows=_UNBOUNDED, max_col_width=80)


def outcomes(found: Iterable[Outcome]) -> None:
    """How many were loaded, unchanged, quarantined; and of the last why."""
    found = list(found)
    counts = {
        status: sum(outcome.status == status for outcome in found)
        for status in ("loaded", "unchanged", "quarantined")
    }
    rows = sum(outcome.row_count for outcome in found)
    click.echo(", ".join(f"{count} {status}" for status, count in counts.items()), nl=False)
    click.echo(f" ({rows} rows)" if rows else "")
    errors = [(outcome.parser or "none", error) for outcome in found for error in outcome.errors]
    if errors:
        width = max(len(parser) for parser, _ in errors)
        click.echo(f"{'parser':<{width}}  quarantined because")
        for parser, error in errors:
            click.echo(f"{parser:<{width}}  {error}")


def progress(found: Iterable[Outcome], count: int) -> list[Outcome]:
    """Take the outcomes; on a terminal with a bar, files per second and the time that remains."""
    started_at = time.monotonic()
    done = 0

    def rate(_: Outcome | None) -> str:
        return f"{done / max(time.monotonic() - started_at, 1e-3):.0f} files/s"

    outcomes = []
    with click.progressbar(
        found,
        length=count,
        label="ingesting",
        item_show_func=rate,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        update_min_steps=50,
    ) as bar:
        for outcome in bar:
            done += 1
            outcomes.append(outcome)
    return outcomes


def summary(connection: duckdb.DuckDBPyConnection) -> None:
    for title, query in SUMMARY_QUERIES:
        click.echo(title)
        table(connection.sql(query))
    for title, nothing, query in FINDING_QUERIES:
        findings = connection.sql(query)
        click.echo(title if len(findings) else nothing)
        if len(findings):
            table(findings)


def changes(connection: duckdb.DuckDBPyConnection) -> None:
    """How many changes repeated measurements have, and what became worse lately."""
    counts = "select count(*), count(*) filter (is_regression) from quality.change_points"
    count, regressions = connection.execute(counts).fetchall()[0]
    click.echo(f"changes: {count}, of which regressions: {regressions}")
    recent = """
        select series_name, metric, mean_before, mean_after, change_ratio, changed_at
        from quality.change_points where is_regression and is_recent
        order by changed_at desc, series_name, metric
    """
    for name, metric, before, after, ratio, changed_at in connection.execute(recent).fetchall():
        means = f"{before:,.1f} -> {after:,.1f} ({ratio:+.1%})"
        click.echo(f"  {name}: {metric} {means} since {changed_at:%Y-%m-%d %H:%M}")


def next_steps(program: str) -> None:
    click.echo("Next:")
    for purpose, query in NEXT_STEPS:
        click.echo(f'  # {purpose}\n  {program} sql "{query}"')
    click.echo("  # your own results of fio and Iometer, with a headroom.yml beside them")
    click.echo(f"  {program} nightly PATH")
