"""`headroom size`: what an array is predicted to reach and why, or what reaches a target."""

import itertools
import operator
import re
from typing import Any, NamedTuple

import click
import duckdb

from headroom import show
from headroom.names import find_named, find_profile, find_raid_level
from headroom.query import FORMATS, labelled
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
# What is known of a drive that nobody measured alone, and why its ratings bound no such load.
_DRIVE = """
    select
        coalesce(drive_interface, 'interface not known') as interface,
        coalesce(
            rated_random_read_iops, rated_random_write_iops, rated_read_bytes_per_second,
            rated_write_bytes_per_second
        ) is not null as is_rated,
        case
            when not is_rated then null
            when random_ratio is null or read_ratio is null
                then 'randomness or share of reads is not known'
            when random_ratio not in (0, 1)
                then 'the load is partly random'
            when random_ratio = 1 and coalesce(min_block_bytes < 4096, true)
                then 'random ratings are for 4 KiB, and smaller blocks may be faster'
            else 'it does not rate both directions of this load'
        end as not_rated
    from dim_drives cross join dim_load_profiles
    where drive = $drive and profile_id = $profile_id
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
        FORMATS[output](found)
        return
    ((profile_label,),) = connection.execute(
        "select profile_label from dim_load_profiles where profile_id = $1", [array.profile_id]
    ).fetchall()
    show.wrapped(
        f"{array.controller}, {array.raid_level}, {array.drive_count} x {array.drive}, "
        f"{profile_label}"
    )
    columns = "if(is_binding, '*', '') as is_binding, ceiling_kind, value_label, basis"
    heads = [("", "limit", "value", "why (* binds)")]
    rows = found.select(columns).fetchall()
    rows += connection.execute(labelled("size_costs"), array._asdict()).fetchall()
    show.grid([*heads, *(tuple(cell or "" for cell in row) for row in rows)], (1, 14, 14, 62))
    _tell_claims(connection, array)


def _answer(
    connection: duckdb.DuckDBPyConnection, name: str, given: dict[str, Any]
) -> duckdb.DuckDBPyRelation:
    try:
        return connection.sql(labelled(name), params=given)
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
    relation = connection.sql(_PREDICTED, params=given)
    (row,) = relation.fetchall()
    known: dict[str, Any] = dict(zip(relation.columns, row, strict=True))
    ((levels, ports),) = connection.execute(
        "select raid_levels, disk_interfaces from dim_controllers where controller = $1",
        [array.controller],
    ).fetchall()
    named = {"drive": array.drive, "profile_id": array.profile_id}
    ((interface, is_rated, not_rated),) = connection.execute(_DRIVE, named).fetchall()
    reasons = {
        "of_controller": f"ports ({ports or 'not known'}) and RAID levels "
        f"({levels or 'not known'}) of {array.controller} must be known; define them in a "
        "headroom.yml (docs/headroom-yml.md)",
        "of_level": f"{array.controller} supports RAID {levels}, not {array.raid_level}",
        "of_drive": f"{array.drive} ({interface}) fits no controller with known ports and RAID "
        "levels"
        if is_rated
        else f"no single {array.drive} was measured at a load profile of a document, and it has "
        "no data sheet ratings; define them in a headroom.yml (docs/headroom-yml.md)",
        "of_both": f"{array.drive} does not fit the ports of {array.controller}: {ports}",
        "of_profile": f"no single {array.drive} was measured at {array.profile_id}"
        + (f", and its data sheet gives no bound: {not_rated}" if not_rated else "")
        + f"; predictions exist for: {known['profiles']}",
    }
    for part, reason in reasons.items():
        if not known[part]:
            return reason
    counts: list[int] | None = known["drive_counts"]
    if not counts:
        return (
            f"{array.controller} supports too few {array.drive} for {array.raid_level}, or the "
            "headroom.yml files define too many parts to predict them all (docs/headroom-yml.md)"
        )
    has_all = len(counts) == counts[-1] - counts[0] + 1
    shown = f"{counts[0]} to {counts[-1]}" if has_all else ", ".join(map(str, counts))
    return f"{array.controller} supports {shown} drives at {array.raid_level}"


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
