"""`headroom schema`, `catalog`, `cat` and `export`: look into the published file, take data out."""

import sys
from pathlib import Path

import click
import duckdb

from headroom import terminal
from headroom.cli import command
from headroom.query_limits import limited
from headroom.read import completion
from headroom.read.query import for_spreadsheets, raw_option
from headroom.warehouse import Warehouse, WarehouseError
from ingest.common.paths import quoted

_COLUMNS = """
    select {table} column_name as column, lower(data_type) as type, comment as description
    from duckdb_columns()
    where schema_name = 'marts' and {condition} order by table_name, column_index
"""
_NEAREST = """
    select distinct table_name from duckdb_columns() where schema_name = 'marts'
    order by jaro_winkler_similarity(table_name, $1) desc limit 3
"""
SOURCES = """
    select distinct file_id, path from (
        select file_id, path, absolute_path from raw.sources where is_current
        union all
        select file_id, path, absolute_path from quality.quarantined_files
    )
    where
        file_id is not null
        and (
            path = $1 or absolute_path = $1 or absolute_path = $2
            or length($1) >= 6 and starts_with(file_id, $1)
        )
    order by path
"""
KINDS = {
    "controllers": """
        select controllers.vendor, controllers.controller,
            controllers.controller_generation as generation, controllers.host_interface,
            controllers.disk_interfaces, count(measurement_id) as measurements
        from dim_controllers as controllers left join measurements using (controller_id)
        group by all order by all
    """,
    "drives": """
        select drives.drive, drives.drive_media as media, drives.drive_interface as interface,
            round(drives.capacity_bytes / 1e9) as gigabytes, count(measurement_id) as measurements
        from dim_drives as drives left join measurements using (drive_id)
        group by all order by all
    """,
    "profiles": """
        select profiles.profile_label as profile, count(measurement_id) as measurements, profile_id
        from dim_load_profiles as profiles left join measurements using (profile_id)
        group by all order by measurements desc, profile
    """,
    "documents": """
        select document_id, published, document_kind as kind, value_count as values,
            fact_count as facts, claim_count as claims, forecast_count as forecasts,
            document_title as title
        from rpt_library order by document_id
    """,
    "arrays": """
        select arrays.array_label as system, count(measurement_id) as measurements
        from dim_arrays as arrays left join measurements using (array_id)
        group by all order by measurements desc, system
    """,
}


@command("headroom schema", "headroom schema measurements")
@click.argument("mart", required=False, shell_complete=completion.marts)
def schema(warehouse: Warehouse, mart: str | None) -> None:
    """List the marts, or the columns of one, with descriptions."""
    with warehouse.open_published() as connection:
        if mart is None:
            marts = connection.execute(completion.MARTS).fetchall()
            terminal.columns(["mart", "rows", "description"], marts)
            return
        query = _COLUMNS.format(table="", condition="table_name = $1")
        columns = connection.execute(query, [mart.removeprefix("marts.")]).fetchall()
        if not columns:
            nearest = connection.execute(_NEAREST, [mart.removeprefix("marts.")]).fetchall()
            names = ", ".join(name for (name,) in nearest)
            raise WarehouseError(f"there is no mart {mart}; did you mean: {names}?")
        terminal.columns(["column", "type", "description"], columns)


@command("headroom catalog controllers", "headroom catalog profiles")
@click.argument("kind", type=click.Choice([*KINDS]))
def catalog(warehouse: Warehouse, kind: str) -> None:
    """List the known controllers, drives, profiles, documents or arrays."""
    with warehouse.open_published() as connection:
        terminal.table(connection.sql(KINDS[kind]))


@command(
    "headroom cat data/samples/fio-virtual-disk/2026-11-21-libaio.json",
    "headroom cat a93856 > run.json",
)
@click.argument("source")
def cat(warehouse: Warehouse, source: str) -> None:
    """Print a source from the archive, byte for byte, by its path or the start of its file_id.

    A paper is printed as a tar of its folder's files.
    """
    with warehouse.open_published() as connection:
        rows = connection.execute(SOURCES, [source, str(Path(source).absolute())]).fetchall()
    if not rows:
        raise WarehouseError(f"{source}: no source has this path or file_id (at least 6 digits)")
    if len({file_id for file_id, _ in rows}) > 1:
        shown = "\n".join(f"  {file_id[:12]}  {path}" for file_id, path in rows)
        raise WarehouseError(f"{source}: several sources, choose one:\n{shown}")
    sys.stdout.buffer.write(warehouse.archive.read(rows[0][0]))
    sys.stdout.buffer.flush()


@command("headroom export tables", "headroom export --format csv tables")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--format", "file_format", type=click.Choice(["parquet", "csv"]), default="parquet",
    show_default=True,
)  # fmt: skip
@raw_option
def export(warehouse: Warehouse, folder: Path, file_format: str, *, is_raw: bool) -> None:
    """Write each mart to a file in a new FOLDER, and column descriptions to columns.csv."""
    with warehouse.open_published() as connection:
        marts = [name for name, *_ in connection.execute(completion.MARTS).fetchall()]
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise WarehouseError(f"{folder}: is not empty; name a new folder")
    columns = _COLUMNS.format(table="table_name as mart,", condition="database_name = 'release'")
    # The connection above may not write files.
    with limited() as limits, duckdb.connect(config=limits) as connection:
        release = quoted(warehouse.published.resolve())
        connection.execute(f"attach {release} as release (read_only)")
        connection.execute("use release")
        for mart in marts:
            rows, target = connection.sql(f"from marts.{mart}"), f"{folder / mart}.{file_format}"
            if file_format == "parquet":
                rows.write_parquet(target)
            else:
                (rows if is_raw else for_spreadsheets(rows)).write_csv(target)
        connection.execute(f"copy ({columns}) to {quoted(folder / 'columns.csv')}")
    click.echo(f"{len(marts)} marts and columns.csv in {folder}")
