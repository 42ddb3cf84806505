"""What is in the published file, for people who do not know it yet, and how to take it out."""

from pathlib import Path

import click
import duckdb

from headroom import show
from headroom.limits import limited
from headroom.query import for_spreadsheets
from headroom.warehouse import Warehouse, WarehouseError
from ingest.names import quoted
from ingest.records.archive import Archive

_MARTS = """
    select table_name, format('{:,} rows', estimated_size), comment
    from duckdb_tables() where schema_name = 'marts'
    union all
    select view_name, 'view', comment from duckdb_views() where schema_name = 'marts'
    order by table_name
"""
_COLUMNS = """
    select {table} column_name as column, lower(data_type) as type, comment as description
    from duckdb_columns()
    where schema_name = 'marts' and {condition} order by table_name, column_index
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
        select document_id, documents.document_title as title, documents.published_date,
            count(measurement_id) as measurements
        from dim_documents as documents left join measurements using (document_id)
        group by all order by document_id
    """,
    "arrays": """
        select arrays.array_label as system, count(measurement_id) as measurements
        from dim_arrays as arrays left join measurements using (array_id)
        group by all order by measurements desc, system
    """,
}


def schema(connection: duckdb.DuckDBPyConnection, mart: str | None) -> None:
    """Print the marts, or the columns of one.

    Raises:
        WarehouseError: there is no such mart; the message has the nearest names.
    """
    if mart is None:
        show.descriptions(connection.execute(_MARTS).fetchall())
        return
    name = mart.removeprefix("marts.")
    query = _COLUMNS.format(table="", condition="table_name = $1")
    columns = connection.execute(query, [name]).fetchall()
    if not columns:
        nearest = connection.execute(
            "select distinct table_name from duckdb_columns() where schema_name = 'marts' "
            "order by jaro_winkler_similarity(table_name, $1) desc limit 3",
            [name],
        ).fetchall()
        names = ", ".join(one for (one,) in nearest)
        raise WarehouseError(f"there is no mart {mart}; did you mean: {names}?")
    show.descriptions(columns)


def archived(connection: duckdb.DuckDBPyConnection, archive: Archive, source: str) -> bytes:
    """The content of a source as it was read: of its path, or of the first digits of its file_id.

    Raises:
        WarehouseError: no source is called so, or several are.
        InputError: the archive does not have it.
    """
    rows = connection.execute(
        """
        select distinct file_id, path from raw.sources
        where is_current and (
            path = $1 or absolute_path = $1 or absolute_path = $2
            or length($1) >= 6 and starts_with(file_id, $1)
        )
        order by path
        """,
        [source, str(Path(source).absolute())],
    ).fetchall()
    if not rows:
        raise WarehouseError(f"{source}: no source has this path or file_id (at least 6 digits)")
    if len({file_id for file_id, _ in rows}) > 1:
        shown = "\n".join(f"  {file_id[:12]}  {path}" for file_id, path in rows)
        raise WarehouseError(f"{source}: several sources, choose one:\n{shown}")
    return archive.read(rows[0][0])


def export(warehouse: Warehouse, folder: Path, file_format: str, *, is_raw: bool) -> None:
    """Write each mart into a file of the folder, and columns.csv with what each column means.

    Unless `is_raw`, a CSV is written for spreadsheets.

    Raises:
        WarehouseError: nothing is published, or the folder has something in it already.
    """
    with warehouse.open_published() as connection:
        marts = [name for name, *_ in connection.execute(_MARTS).fetchall()]
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise WarehouseError(f"{folder}: is not empty; name a new folder")
    columns = _COLUMNS.format(table="table_name as mart,", condition="database_name = 'release'")
    # One that is sealed writes no files.
    with limited() as limits, duckdb.connect(config=limits) as connection:
        release = quoted(warehouse.published.resolve())
        connection.execute(f"attach {release} as release (read_only)")
        connection.execute("use release")
        for mart in marts:
            rows, target = (
                connection.sql(f"from marts.{mart}"),
                str(folder / f"{mart}.{file_format}"),
            )
            if file_format == "parquet":
                rows.write_parquet(target)
            else:
                (rows if is_raw else for_spreadsheets(rows)).write_csv(target)
        connection.execute(f"copy ({columns}) to {quoted(folder / 'columns.csv')}")
    click.echo(f"{len(marts)} marts and columns.csv in {folder}")
