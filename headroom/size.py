"""`headroom size`: what an array is predicted to reach and why, or what reaches a target."""

import re
from typing import Any, NamedTuple

import click
import duckdb

from headroom import show
from headroom.names import find_named, find_profile, find_raid_level
from headroom.query import FORMATS, labelled
from headroom.warehouse import WarehouseError

_SHOWN_DESIGNS = 15
_TERABYTES = {"TB": 1.0, "GB": 1e-3, "TIB": 2**40 / 1e12, "GIB": 2**30 / 1e12}
# What documents say of the controller at the load profile, of this level and drive first.
_CLAIMS = """
    select source_label || ': ' || claim_label || ' (' || verdict || ')'
    from fct_claims, (
        select regexp_extract_all(profile_names, ': ([^;]+)', 1) as names
        from dim_load_profiles where profile_id = $profile_id
    )
    where
        list_has_any(string_split(profile_names, '; '), names)
        and list_contains(
            string_split(concat_ws('; ', subject, controllers), '; '), $controller
        )
        and contains(coalesce(raid_levels, $raid_level), $raid_level)
        and contains(coalesce(drives, $drive), $drive)
    order by claim_id limit 5
"""
# What is predicted of parts of what was asked for.
_PREDICTED = """
    select
        bool_or(controller = $controller) as of_controller,
        bool_or(controller = $controller and raid_level = $raid_level) as of_level,
        bool_or(drive = $drive) as of_drive,
        bool_or(controller = $controller and drive = $drive) as of_both,
        bool_or(drive = $drive and profile_id = $profile_id) as of_profile,
        string_agg(distinct profile_id, ', ' order by profile_id)
            filter (drive = $drive) as profiles,
        list(distinct drive_count order by drive_count) filter (
            controller = $controller and raid_level = $raid_level and drive = $drive
        ) as drive_counts
    from fct_predictions
"""


class Array(NamedTuple):
    """What is asked for; None where it is left open."""

    controller: str | None
    raid_level: str | None
    drive: str | None
    drive_count: int | None
    profile_id: str


class Targets(NamedTuple):
    """What has to be reached; None where nothing has."""

    iops: float | None
    terabytes: float | None
    latency_us: float | None


def terabytes(text: str | None) -> float | None:
    """5TB, 800 GB or 4 TiB, in units of 10^12 bytes.

    Raises:
        WarehouseError: it is none of these.
    """
    if text is None:
        return None
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) *([a-z]+)", text.strip(), re.IGNORECASE)
    if not parts or parts[2].upper() not in _TERABYTES:
        raise WarehouseError(f"--capacity {text}: write a number and TB, GB, TiB or GiB, as in 5TB")
    return float(parts[1]) * _TERABYTES[parts[2].upper()]


def size(
    connection: duckdb.DuckDBPyConnection,
    controller: str | None,
    raid_level: str | None,
    drive: str | None,
    drive_count: int | None,
    profile: str,
    targets: Targets,
    output: str,
) -> None:
    """Print the limits of an array, or the arrays that reach the targets.

    Raises:
        WarehouseError: a name is not known, too little is given, or nothing is predicted; the
            message says why.
    """

    def named(kind: str, table: str, text: str | None) -> str | None:
        return find_named(connection, kind, table, text) if text else None

    array = Array(
        named("controller", "dim_controllers", controller),
        find_raid_level(connection, raid_level) if raid_level else None,
        named("drive", "dim_drives", drive),
        drive_count,
        find_profile(connection, profile),
    )
    if any(targets):
        _designs(connection, array, targets, output)
    elif None in array:
        missing = [f"--{name}" for name in _open_options(array)]
        raise WarehouseError(
            f"give {', '.join(missing)} too, or a target: --iops, --capacity or --latency-us"
        )
    else:
        _limits(connection, array, output)


def _open_options(array: Array) -> list[str]:
    names = ("controller", "raid", "drive", "drives")
    return [name for name, value in zip(names, array, strict=False) if value is None]


def _limits(connection: duckdb.DuckDBPyConnection, array: Array, output: str) -> None:
    try:
        found = connection.sql(labelled("size"), params=array._asdict())
    except duckdb.CatalogException as error:
        reason = "published by an older version; run: headroom nightly PATH"
        raise WarehouseError(reason) from error
    if not len(found):
        raise WarehouseError(f"no prediction: {why_not(connection, array)}")
    if output != "table":
        FORMATS[output](found)
        return
    ((profile_label,),) = connection.execute(
        "select profile_label from dim_load_profiles where profile_id = $1", [array.profile_id]
    ).fetchall()
    click.echo(
        f"{array.controller}, {array.raid_level}, {array.drive_count} x {array.drive}, "
        f"{profile_label}"
    )
    columns = "if(is_binding, '*', '') as is_binding, ceiling_kind, value_label, basis"
    heads = [("", "limit", "value", "why (* binds)")]
    rows = found.select(columns).fetchall()
    show.grid([*heads, *(tuple(cell or "" for cell in row) for row in rows)], (1, 14, 14, 62))
    _tell_claims(connection, array)


def _tell_claims(connection: duckdb.DuckDBPyConnection, array: Array) -> None:
    given = array._asdict()
    del given["drive_count"]
    claims = connection.execute(_CLAIMS, given).fetchall()
    click.echo("what documents say:" if claims else "no document compares it")
    for (claim,) in claims:
        show.wrapped(claim, indent=2)


def why_not(connection: duckdb.DuckDBPyConnection, array: Array) -> str:
    """The first part of what was asked for of which nothing is predicted, and the remedy."""
    given = array._asdict()
    del given["drive_count"]
    relation = connection.sql(_PREDICTED, params=given)
    (row,) = relation.fetchall()
    known: dict[str, Any] = dict(zip(relation.columns, row, strict=True))
    ((levels, ports),) = connection.execute(
        "select raid_levels, disk_interfaces from dim_controllers where controller = $1",
        [array.controller],
    ).fetchall()
    reasons = {
        "of_controller": f"ports ({ports or 'not known'}) and RAID levels "
        f"({levels or 'not known'}) of {array.controller} have to be known; define it in a "
        "headroom.yml (docs/headroom-yml.md)",
        "of_level": f"{array.controller} has the levels {levels}, not {array.raid_level}",
        "of_drive": f"no single {array.drive} was measured at a profile that documents name; a "
        "data sheet's rating makes no prediction",
        "of_both": f"{array.drive} does not fit the ports of {array.controller}: {ports}",
        "of_profile": f"no single {array.drive} was measured at {array.profile_id}; predicted "
        f"are: {known['profiles']}",
    }
    for part, reason in reasons.items():
        if not known[part]:
            return reason
    counts: list[int] | None = known["drive_counts"]
    if not counts:
        return f"{array.controller} takes too few {array.drive} for {array.raid_level}"
    has_all = len(counts) == counts[-1] - counts[0] + 1
    shown = f"{counts[0]} to {counts[-1]}" if has_all else ", ".join(map(str, counts))
    return f"{array.controller} takes {shown} drives at {array.raid_level}"


def _designs(
    connection: duckdb.DuckDBPyConnection, array: Array, targets: Targets, output: str
) -> None:
    row_count = _SHOWN_DESIGNS if output in ("table", "md") else None
    given = array._asdict() | targets._asdict() | {"row_count": row_count}
    found = connection.sql(labelled("size_designs"), params=given)
    if not len(found):
        raise WarehouseError(
            f"nothing predicted or measured at {array.profile_id} reaches this; lower a target, "
            "leave an option out, or see what is known: headroom catalog profiles"
        )
    if output != "table":
        FORMATS[output](found)
        return
    heads = ("drives", "design", "confidence", "value", "low to high", "usable", "limit or source")
    rows = found.select(
        "drive_count::varchar, design_label, confidence, value_label, range_label, usable_label, "
        "basis"
    ).fetchall()
    cells = [tuple(cell or "" for cell in row) for row in rows]
    show.grid([heads, *cells], (6, 26, 10, 11, 14, 7, 14))
    if targets.latency_us:
        click.echo("a latency is measured only: nothing predicted is listed")
