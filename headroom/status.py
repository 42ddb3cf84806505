"""`headroom status`: how the last nights went, and what is in the published file."""

import click
import duckdb

from headroom.show import table
from headroom.warehouse import Warehouse, WarehouseError

# Title, what to say where there is nothing, query.
Findings = tuple[tuple[str, str, str], ...]
QUALITY_QUERIES: Findings = (
    (
        "The last nights",
        "No night yet",
        """
        select
            run_id, status, reason, file_loaded_count as loaded,
            file_quarantined_count as quarantined, check_passed_count as checks_passed,
            check_failed_count as checks_failed
        from quality.nightly_runs order by started_at desc limit 7
        """,
    ),
    (
        "The last checks",
        "Nothing checked yet",
        """
        select
            severity, count(*) filter (is_passed) as passed,
            count(*) filter (not is_passed) as failed, max(checked_at) as checked_at_utc
        from quality.check_results where is_latest group by severity order by severity
        """,
    ),
    (
        "What failed, critical first; sample_rows are the first rows that fail",
        "No check failed",
        """
        select severity, check_id, failing_row_count as rows, observed, bound, sample_rows
        from quality.check_results where is_latest and not is_passed order by severity, check_id
        """,
    ),
    (
        "Quarantined",
        "Nothing is quarantined",
        "select path, line, reason from quality.quarantined_files order by path, line",
    ),
)
SUMMARY_QUERIES: tuple[tuple[str, str], ...] = (
    (
        "Documents",
        """
        with papers as (
            select document_id, count(measurement_id) as measurements
            from marts.dim_documents left join marts.measurements using (document_id)
            group by document_id
            having measurements > 0 or document_id in (select document_id from marts.fct_claims)
        )

        (
            select
                document_id, publisher, published_date, editions, commissioned_by, measurements
            from papers inner join marts.dim_documents using (document_id) order by document_id
        )
        union all by name
        select 'and ' || count(*) || ' of the catalog' as document_id
        from marts.dim_documents anti join papers using (document_id)
        having count(*) > 0
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
            round(avg(if(coalesce(ceiling_bytes_per_second, ceiling_iops) is null, 0, 100))
                filter (is_valid)) as percent_with_ceiling,
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
            count(*) filter (verdict = 'insufficient data') as insufficient_data
        from marts.fct_claims group by document_id order by document_id
        """,
    ),
)
# What a person can mend.
FINDING_QUERIES: Findings = (
    (
        "What would give most measurements a ceiling, and where to say it",
        "Every valid measurement has a ceiling",
        """
        select subject, missing_reason, remedy, measurement_count as measurements
        from marts.rpt_missing_ceilings order by measurements desc, subject limit 3
        """,
    ),
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
)
NEXT_STEPS = (
    (
        "which controller for a database, as one paper concludes",
        "select raid_level, controller, as_printed, drive_media, document_id, pages "
        "from marts.measurements where profile_name = 'Database' and page = 49 "
        "order by raid_level, iops desc",
    ),
)


def last_failure(warehouse: Warehouse) -> str | None:
    """What the last night that ended says of itself, unless it published.

    Raises:
        WarehouseError: nothing is published yet.
    """
    with warehouse.open_quality() as connection:
        row = connection.execute(
            "select run_id, status, reason from quality.nightly_runs where ended_at is not null "
            "order by started_at desc limit 1"
        ).fetchone()
    return f"night {row[0]} {row[1]}: {row[2]}" if row and row[1] != "published" else None


def status(warehouse: Warehouse) -> None:
    """Show the nights, and then what is published.

    Raises:
        WarehouseError: nothing is published, or by an older version that had not all of it.
    """
    try:
        with warehouse.open_quality() as connection:
            _findings(connection, QUALITY_QUERIES)
        with warehouse.open_published() as connection:
            click.echo(f"{warehouse.published} -> {warehouse.published.resolve().name}")
            for title, query in SUMMARY_QUERIES:
                click.echo(title)
                table(connection.sql(query))
            _findings(connection, FINDING_QUERIES)
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        reason = "published by an older version; run: headroom nightly PATH"
        raise WarehouseError(f"{warehouse.folder}: {reason}") from error


def _findings(connection: duckdb.DuckDBPyConnection, queries: Findings) -> None:
    for title, nothing, query in queries:
        found = connection.sql(query)
        click.echo(title if len(found) else nothing)
        if len(found):
            table(found)


def next_steps(program: str) -> None:
    click.echo("Next:")
    click.echo(f"  # what can be asked\n  {program} schema")
    for purpose, query in NEXT_STEPS:
        click.echo(f'  # {purpose}\n  {program} sql "{query}"')
    click.echo("  # your own results of fio and Iometer, with a headroom.yml beside them")
    click.echo(f"  {program} nightly PATH")
