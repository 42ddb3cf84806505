"""`headroom size`: what an array is predicted to reach and why, or what reaches a target."""

import itertools
import operator
import re
from pathlib import Path
from typing import Any, NamedTuple

import click
import duckdb

from headroom import show
from headroom.names import find_named, find_profile, find_raid_level
from headroom.query import FORMATS
from headroom.warehouse import WarehouseError

_SHOWN_DESIGNS = 15
# Heads of the designs, each with its column and width.
_COLUMNS = {
    "drives": ("drive_count::varchar", 6),
    "design": ("design_label", 36),
    "value": ("value_label", 11),
    "low to high": ("range_label", 14),
    "usable": ("usable_label", 7),
    "limit or source": ("basis", 14),
}
_PRICED = {
    "drives": ("drive_count::varchar", 6),
    "design": ("design_label", 29),
    "value": ("value_label", 10),
    "low to high": ("range_label", 11),
    "usable": ("usable_label", 7),
    "price": ("coalesce(price_label, 'not reported')", 13),
    "power": ("coalesce(power_label, 'not reported')", 10),
}
# How sure the designs below are to reach the target.
_REACH = {
    "measured": "measured",
    "sure": "predicted, and even the low value reaches it",
    "likely": "likely: the value is an estimate",
    "possible": "not excluded: the value is an upper bound",
    "data sheet": "not excluded: an upper bound from data sheets",
}
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
# What a prediction takes: each part, why it may be missing, and what is predicted of the parts.
_PARTS = """
    select
        controllers.disk_interfaces as ports,
        controllers.raid_levels as levels,
        controllers.max_drive_count as most,
        coalesce(
            controllers.disk_port_count, controllers.max_drive_count,
            controllers.max_server_drive_count
        ) is not null as is_counted,
        drives.drive_interface as interface,
        coalesce(
            rated_random_read_iops, rated_random_write_iops, rated_read_bytes_per_second,
            rated_write_bytes_per_second
        ) is not null as is_rated,
        case
            when not is_rated then 'it has no data sheet ratings'
            when random_ratio is null or read_ratio is null
                then 'its data sheet gives no bound: randomness or share of reads is not known'
            when random_ratio not in (0, 1)
                then 'its data sheet gives no bound: the load is partly random'
            when random_ratio = 1 and coalesce(min_block_bytes < 4096, true)
                then 'its data sheet gives no bound: random ratings are for 4 KiB, and smaller '
                || 'blocks may be faster'
            else 'its data sheet gives no bound: it does not rate both directions of this load'
        end as not_rated,
        predicted.*,
    from dim_drives as drives
    cross join dim_load_profiles
    left join dim_controllers as controllers on controllers.controller = $controller
    cross join (
        select
            bool_or(controller = $controller and drive = $drive) as of_both,
            bool_or(drive = $drive and profile_id = $profile_id) as of_profile,
            string_agg(distinct profile_id, ', ' order by profile_id)
                filter (drive = $drive) as profiles,
            list(distinct drive_count order by drive_count) filter (
                controller = $controller and raid_level = $raid_level and drive = $drive
            ) as drive_counts,
        from fct_predictions
    ) as predicted
    where drive = $drive and profile_id = $profile_id
"""
_DEFINE = "define it in a headroom.yml (docs/headroom-yml.md)"


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


class Choice(NamedTuple):
    """Which of the designs that reach the targets are shown, and which first."""

    max_price: float | None = None
    currency: str | None = None
    max_power_watts: float | None = None
    sort: str = "drives"


def terabytes(text: str | None) -> float | None:
    """5TB, 800 GB or 4 TiB, in units of 10^12 bytes.

    Raises:
        WarehouseError: it is none of these.
    """
    if text is None:
        return None
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) *([a-z]+)", text.strip(), re.IGNORECASE)
    if not parts or parts[2].upper() not in _TERABYTES or float(parts[1]) == 0:
        raise WarehouseError(f"--capacity {text}: write a number and TB, GB, TiB or GiB, as in 5TB")
    return float(parts[1]) * _TERABYTES[parts[2].upper()]


def money(text: str | None) -> tuple[float | None, str | None]:
    """9000EUR or 9000 EUR, as number and currency.

    Raises:
        WarehouseError: it is neither.
    """
    if text is None:
        return None, None
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) *([a-z]{3})", text.strip(), re.IGNORECASE)
    if not parts or float(parts[1]) == 0:
        raise WarehouseError(f"--max-price {text}: write a number and its currency, as in 9000EUR")
    return float(parts[1]), parts[2].upper()


def size(
    connection: duckdb.DuckDBPyConnection,
    controller: str | None,
    raid_level: str | None,
    drive: str | None,
    drive_count: int | None,
    profile: str,
    targets: Targets,
    choice: Choice,
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
        _designs(connection, array, targets, choice, output)
    elif choice != Choice():
        raise WarehouseError(
            "--max-price, --max-power-watt and --sort need a target: "
            "--iops, --capacity or --latency-us"
        )
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
    found = _answer(connection, "size", array._asdict())
    if not len(found):
        raise WarehouseError(f"no prediction: {why_not(connection, array)}")
    if output != "table":
        FORMATS[output](found.project("* exclude (profile_label)"))
        return
    rows = found.select(
        "if(is_binding, '*', '') as is_binding, ceiling_kind, value_label, basis, profile_label"
    ).fetchall()
    show.wrapped(
        f"{array.controller}, {array.raid_level}, {array.drive_count} x {array.drive}, {rows[0][4]}"
    )
    heads = [("", "limit", "value", "why (* binds)")]
    show.grid([*heads, *(tuple(cell or "" for cell in row[:4]) for row in rows)], (1, 14, 14, 62))
    _tell_claims(connection, array)


def _answer(
    connection: duckdb.DuckDBPyConnection, name: str, given: dict[str, Any]
) -> duckdb.DuckDBPyRelation:
    try:
        query = Path(__file__).with_name(f"{name}.sql").read_text()
        return connection.sql(query, params=given)
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        reason = "published by an older version; run: headroom nightly PATH"
        raise WarehouseError(reason) from error


def _tell_claims(connection: duckdb.DuckDBPyConnection, array: Array) -> None:
    given = array._asdict()
    del given["drive_count"]
    claims = connection.execute(_CLAIMS, given).fetchall()
    click.echo("claims in documents:" if claims else "no claims in documents")
    for (claim,) in claims:
        show.wrapped(claim, indent=2)


def why_not(connection: duckdb.DuckDBPyConnection, array: Array) -> str:
    """The first part of the array that prevents a prediction, and the remedy."""
    given = array._asdict()
    del given["drive_count"]
    relation = connection.sql(_PARTS, params=given)
    (row,) = relation.fetchall()
    known: dict[str, Any] = dict(zip(relation.columns, row, strict=True))
    return _of_controller(array, known) or _of_drive(array, known) or _of_counts(array, known)


def _of_controller(array: Array, known: dict[str, Any]) -> str | None:
    missing = {
        "the interface of its ports": known["ports"],
        "its RAID levels": known["levels"],
        "its number of ports": known["is_counted"] or None,
    }
    if names := [name for name, value in missing.items() if value is None]:
        return f"{array.controller}: {' and '.join(names)} must be known; {_DEFINE}"
    if str(array.raid_level).removeprefix("RAID ") not in known["levels"].split(", "):
        return f"{array.controller} supports RAID {known['levels']}, not {array.raid_level}"
    return None


def _of_drive(array: Array, known: dict[str, Any]) -> str | None:
    if known["of_both"]:
        return None
    if known["interface"] in (None, "SAS", "SATA"):
        has = f" ({known['interface']})" if known["interface"] else ""
        return f"{array.drive}: its interface{has} must be known with its speed; {_DEFINE}"
    if known["profiles"] or not known["interface"].startswith(("SAS", "SATA")):
        return (
            f"{array.drive} ({known['interface']}) does not fit the ports of {array.controller}: "
            f"{known['ports']}"
        )
    return (
        f"no single {array.drive} was measured at a load profile of a document, and "
        f"{known['not_rated']}; {_DEFINE}"
    )


def _of_counts(array: Array, known: dict[str, Any]) -> str:
    if not known["of_profile"]:
        return (
            f"no single {array.drive} was measured at {array.profile_id}, and "
            f"{known['not_rated']}; predictions exist for: {known['profiles']}"
        )
    counts: list[int] | None = known["drive_counts"]
    if not counts:
        return (
            f"{array.controller} takes too few {array.drive} for {array.raid_level}, or the "
            "headroom.yml files define too many parts to predict them all (docs/headroom-yml.md)"
        )
    has_all = len(counts) == counts[-1] - counts[0] + 1
    shown = f"{counts[0]} to {counts[-1]}" if has_all else ", ".join(map(str, counts))
    most = "" if (known["most"] or 0) <= counts[-1] else f"; it takes up to {known['most']}"
    return (
        f"predictions for {array.controller} at {array.raid_level} are made for {shown} drives"
        + most
    )


def _designs(
    connection: duckdb.DuckDBPyConnection,
    array: Array,
    targets: Targets,
    choice: Choice,
    output: str,
) -> None:
    given = array._asdict() | targets._asdict() | choice._asdict()
    found = _answer(connection, "size_designs", given)
    if not len(found):
        raise WarehouseError(
            f"no array, predicted or measured, reaches this at {array.profile_id}; lower a target, "
            "drop an option, or list the load profiles: headroom catalog profiles"
            + ("; unknown prices and power are left out" if choice != Choice() else "")
        )
    if output != "table":
        FORMATS[output](found)
        return
    columns = _PRICED if found.filter("coalesce(price, power_watts) > 0").fetchone() else _COLUMNS
    widths = [width for _, width in columns.values()]
    asked = ["reach", *(column for column, _ in columns.values())]
    rows = found.select(", ".join(asked)).fetchall()
    show.grid([[*columns]], widths)
    for reach, designs in itertools.groupby(rows[:_SHOWN_DESIGNS], key=operator.itemgetter(0)):
        show.wrapped(f"{_REACH[reach]}:")
        show.grid([tuple(cell or "" for cell in design[1:]) for design in designs], widths)
    if more := rows[_SHOWN_DESIGNS:]:
        click.echo(f"and {len(more)} more; --format csv lists all")
    if targets.latency_us:
        click.echo("latency is not predicted: only measured arrays are listed")
    if columns is _PRICED:
        click.echo("price and power: controller and all drives")
