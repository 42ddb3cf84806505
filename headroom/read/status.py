"""`headroom status`: how the last nights went, and what is in the published file."""

import sys
from contextlib import suppress

import click
import duckdb

from headroom.cli import EXIT_CHECKS_FAILED, command
from headroom.read.night_log import LoggedNight, unpublished_nights
from headroom.release.failed_checks import failed_checks
from headroom.terminal import columns, shell_lines, wrapped
from headroom.warehouse import Warehouse, rows_of

# Title, text if there are no rows, query. The last column may take several lines.
Findings = tuple[tuple[str, str, str], ...]
OWN_QUERIES: Findings = (
    (
        "Your results: the best load of each array, the median of its runs",
        "No results of your own yet (the samples are examples)",
        """
        with own as (
            select
                array_id, profile_id, any_value(array_label) as array_label,
                count(*) as results, count(*) filter (not is_valid) as invalid
            from marts.rpt_measurements where document_id is null and not is_example
            group by array_id, profile_id
        ),

        missing as (
            select array_id, profile_id, string_agg(distinct remedy, '; ' order by remedy) as remedy
            from marts.rpt_missing_ceilings where source_format != 'white_paper' group by all
        )

        select
            results, invalid, value_label as value,
            coalesce(attained_label, 'none') as of_ceiling,
            concat_ws(
                '; ', concat_ws(', ', own.array_label, profiles.profile_label), verdict,
                'no ceiling: ' || remedy
            ) as system_and_load
        from own left join missing using (array_id, profile_id)
        left join marts.rpt_own_results using (array_id, profile_id)
        left join marts.dim_load_profiles as profiles on own.profile_id = profiles.profile_id
        order by results desc, system_and_load
        """,
    ),
    (
        "fio logs without a run: load the JSON result that was written with them",
        "",
        """
        select
            count(distinct source_path) as logs,
            min(source_path) || if(logs > 1, ' and ' || (logs - 1) || ' more', '') as log
        from marts.fct_time_series where measurement_id is null
        group by regexp_extract(source_path, '^(.*/)?[^/]*$', 1) order by log
        """,
    ),
)
NIGHT_QUERIES: Findings = (
    (
        "Last nights",
        "No nightly run yet",
        """
        select
            run_id as night, status, file_loaded_count as loaded,
            file_quarantined_count as quarantined,
            check_passed_count || ' of ' || (check_passed_count + check_failed_count)
                as checks_passed,
            reason
        from quality.nightly_runs order by night_number desc limit 7
        """,
    ),
    (
        "Last checks",
        "Nothing checked yet",
        """
        select
            severity, count(*) filter (is_passed) as passed,
            count(*) filter (not is_passed) as failed,
            date_trunc('second', max(checked_at)) as checked_at_utc
        from quality.check_results where is_latest group by severity order by severity
        """,
    ),
)
QUARANTINE_QUERIES: Findings = (
    (
        "Quarantined",
        "Nothing is quarantined",
        """
        select
            count(distinct path) as files,
            concat(
                reason, ': ', min(path || coalesce(':' || line, '')),
                if(files > 1, ' and ' || (files - 1) || ' more', '')
            ) as reason,
        from quality.quarantined_files group by quarantined_files.reason
        order by files desc, 2
        """,
    ),
    (
        "No results: files that look like none, see quality.files_without_results",
        "",
        """
        with kinds as (
            select kind, count(*) as files from quality.files_without_results group by kind
        )

        select
            sum(files) as files,
            string_agg(files || ' ' || kind, ', ' order by kinds.files desc, kind) as kinds
        from kinds having count(*) > 0
        """,
    ),
)
# What is published, then what you can correct.
PUBLISHED_QUERIES: Findings = (
    (
        "No papers and no catalog are loaded, so no controller or drive is known; load them: "
        "headroom nightly --papers",
        "",
        "select 0 as documents where not exists (from marts.dim_documents)",
    ),
    (
        "Measurements",
        "",
        """
        select
            source_format, count(*) as measurements, count(*) filter (not is_valid) as invalid,
            cast(avg(if(coalesce(ceiling_bytes_per_second, ceiling_iops) is null, 0, 100))
                filter (is_valid) as bigint) || ' %' as with_ceiling,
            count(distinct profile_id) as load_profiles, count(distinct array_id) as arrays,
            date_trunc('second', max(measured_at)) as newest_utc
        from marts.measurements group by source_format order by source_format
        """,
    ),
    (
        "Documents and the verdicts on their claims",
        "",
        """
        with points as (
            select document_id, count(*) as measurements from marts.measurements group by all
        ),

        claims as (
            select
                document_id,
                count(*) filter (verdict = 'confirmed') || ' confirmed, '
                || count(*) filter (verdict = 'consistent') || ' consistent, '
                || count(*) filter (verdict = 'contradicted') || ' contradicted, '
                || count(*) filter (verdict = 'insufficient data') || ' insufficient data'
                    as verdicts
            from marts.fct_claims group by all
        )

        select
            document_id, coalesce(measurements, 0) as measurements,
            concat_ws('; ', concat_ws(', paid by ', publisher, commissioned_by), verdicts)
                as publisher_and_claims
        from marts.dim_documents left join points using (document_id)
        left join claims using (document_id)
        where points.document_id is not null or claims.document_id is not null
        order by document_id
        """,
    ),
    (
        "The catalog: `headroom catalog KIND` lists them",
        "",
        """
        select
            (from marts.dim_controllers select count(*)) as controllers,
            (from marts.dim_drives select count(*)) as drives,
            (from marts.dim_arrays select count(*)) as arrays,
            (from marts.dim_load_profiles select count(*)) as profiles,
            (from marts.dim_documents select count(*)) as documents
        """,
    ),
    (
        "Missing ceilings of papers: what to add, and where",
        "Every valid measurement of a paper has a ceiling",
        """
        select
            sum(measurement_count) as measurements, subject,
            missing_reason || ': ' || remedy as reason_and_remedy
        from marts.rpt_missing_ceilings where source_format = 'white_paper'
        group by all order by measurements desc, subject limit 3
        """,
    ),
    (
        "Unknown names in headroom.yml files: correct them, or define them there",
        "Every name in a headroom.yml is known",
        """
        select
            source_count as sources,
            kind || ' ' || name || ': '
            || concat_ws('; nearest: ', first_source_path, nearest_names) as name
        from marts.fct_catalog_findings order by kind, fct_catalog_findings.name
        """,
    ),
    (
        "Result files that need a headroom.yml (see `headroom describe`)",
        "Every result file has a headroom.yml",
        """
        select count(*) as sources, folder
        from marts.fct_sources_without_sidecar group by folder order by folder
        """,
    ),
)
_MOST_ROWS = 20
_NEXT_STEPS = {
    "list the marts": "schema",
    "which controller for a database": "sql --example best-by-controller",
    "load your own results, with a headroom.yml beside them": "nightly PATH",
}


@command(
    "headroom status",
    "headroom status --quiet || mail -s 'headroom' lab@example.org",
    name="status",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only why the last night did not publish.")
def status_command(warehouse: Warehouse, quiet: bool) -> None:
    """Show the last nights, checks and quarantined files, and what is published.

    Exits 1 if the last completed night did not publish: the published file lacks its results.
    """
    failure = last_failure(warehouse)
    if not quiet:
        status(warehouse)
        click.echo("Next:")
        for purpose, arguments in _NEXT_STEPS.items():
            wrapped(f"# {purpose}", indent=2)
            click.echo(shell_lines(f"{sys.argv[0]} {arguments}", indent=2))
    if failure:
        click.echo(f"headroom: {failure}", err=True)
        sys.exit(EXIT_CHECKS_FAILED)


def last_failure(warehouse: Warehouse) -> str | None:
    """Why the last completed night did not publish; None if it did."""
    for night in _unpublished(warehouse):
        if night.status != "running":
            return None if night.status == "published" else _night_line(night)
    with warehouse.open_quality() as connection:
        row = connection.execute(
            "select run_id, status, reason from quality.nightly_runs "
            "where is_latest and ended_at is not null"
        ).fetchone()
    return f"night {row[0]} {row[1]}: {row[2]}" if row and row[1] != "published" else None


def _unpublished(warehouse: Warehouse) -> list[LoggedNight]:
    """Nights that are in the log but not in the published history."""
    published: set[str] = set()
    if warehouse.was_published(warehouse.nights) or warehouse.was_published(warehouse.published):
        query = "select run_id from quality.nightly_runs where status != 'running'"
        with warehouse.open_quality() as connection, suppress(duckdb.CatalogException):
            published = {run_id for (run_id,) in connection.execute(query).fetchall()}
    return unpublished_nights(warehouse, published)


def _night_line(night: LoggedNight) -> str:
    if night.status == "running":
        return f"night {night.run_id} is running"
    return f"night {night.run_id} {night.status}: {night.reason}"


def status(warehouse: Warehouse) -> None:
    """Print your own results, the nights, and the contents of the published file."""
    for night in _unpublished(warehouse):
        wrapped(_night_line(night))
    if warehouse.published.exists():
        with warehouse.open_published() as connection:
            _findings(connection, OWN_QUERIES)
    with warehouse.open_quality() as connection:
        _findings(connection, NIGHT_QUERIES)
        _failed_checks(connection)
        _findings(connection, QUARANTINE_QUERIES)
    if not warehouse.was_published(warehouse.published):
        wrapped("Nothing published yet")
        return
    with warehouse.open_published() as connection:
        wrapped(f"{warehouse.published} -> {warehouse.published.resolve().name}")
        _findings(connection, PUBLISHED_QUERIES)


def _failed_checks(connection: duckdb.DuckDBPyConnection) -> None:
    failed = "where is_latest and not is_passed order by severity, check_id"
    rows = rows_of(connection.sql(f"from quality.check_results {failed}"))
    click.echo("Failed checks, critical first" if rows else "No check failed")
    failed_checks(rows, start="")


def _findings(connection: duckdb.DuckDBPyConnection, queries: Findings) -> None:
    for title, nothing, query in queries:
        found = connection.sql(query)
        rows = found.fetchall()
        if rows:
            wrapped(title)
            columns(found.columns, rows[:_MOST_ROWS])
            if more := rows[_MOST_ROWS:]:
                click.echo(f"  and {len(more)} more")
        elif nothing:
            wrapped(nothing)
