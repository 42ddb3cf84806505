"""`headroom size`: an array's limits and prediction, or the designs that reach a target."""

import itertools
import math
import operator
import re
from pathlib import Path
from typing import Any, NamedTuple

import click
import duckdb

from headroom import terminal
from headroom.analyse.name_search import find_named, find_profile, find_raid_level
from headroom.cli import command, format_option
from headroom.read.query import FORMATS
from headroom.warehouse import Warehouse, WarehouseError, rows_of

_SHOWN_DESIGNS = 15
# Headings of the designs, each with its column and width.
_COLUMNS = {
    "drives": ("drive_count::varchar", 6),
    "design, limit or source": (
        "concat_ws('', design_label, "
        "if(evidence = 'measured', chr(10) || '  ', '; limited by ') || basis, "
        "', mean latency ' || latency_label)",
        52,
    ),
    "value": ("value_label", 11),
    "range": ("range_label", 14),
    "usable": ("usable_label", 7),
}
_PRICED = {
    "drives": ("drive_count::varchar", 6),
    "design": ("concat_ws(', mean latency ', design_label, latency_label)", 29),
    "value": ("value_label", 10),
    "range": ("range_label", 11),
    "usable": ("usable_label", 7),
    "price": ("coalesce(price_label, 'not reported')", 13),
    "power": ("coalesce(power_label, 'not reported')", 10),
}
_REACH = {
    "measured": "measured",
    "sure": "predicted, and sure: even the low value reaches it, or capacity alone is asked for",
    "likely": "likely: the value is an estimate",
    "possible": "not excluded: the value is an upper bound",
    "data sheet": "not excluded: an upper bound from data sheets",
}
_FACTORS = {"": 1, "K": 1e3, "M": 1e6}
_TERABYTES = {"TB": 1.0, "GB": 1e-3, "TIB": 2**40 / 1e12, "GIB": 2**30 / 1e12}
_LIMITS = """
    select
        kind as ceiling_kind, value_label, reason as basis, is_binding, iops, bytes_per_second,
        headline_value as value, low_headline_value as low_value,
        high_headline_value as high_value, evidence, price, price_currency, power_watts,
        iops_per_price_unit, bytes_per_second_per_price_unit, iops_per_watt,
        bytes_per_second_per_watt, profile_label
    from rpt_predicted_limits
    where
        controller = $controller and raid_level = $raid_level and drive = $drive
        and drive_count = $drive_count and profile_id = $profile_id
    order by line_order, is_binding desc, bytes_per_second nulls last, iops nulls last, kind
"""
_DESIGNS = Path(__file__).with_name("size_designs.sql")
# Documents' claims about the controller at the load profile, with this level and drive or any.
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
# The parts that a prediction needs, why one is missing, and the predictions made with them.
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
            when random_ratio = 0 and coalesce(min_block_bytes < 65536, true)
                then 'its data sheet gives no bound: sequential ratings are for large blocks, '
                || 'and say little of blocks below 64 KiB or of an unknown size'
            else 'its data sheet does not rate both directions of this load, or fewer than three '
                || 'documents report the load'
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
    """The array asked for; None is any."""

    controller: str | None
    raid_level: str | None
    drive: str | None
    drive_count: int | None
    profile_id: str


class _AboveZero(click.ParamType):
    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        digits, unit = re.findall(r"(.*?)([kKM]?)$", str(value).strip())[0]
        try:
            number = float(digits) * _FACTORS[unit.upper()]
        except ValueError:
            number = math.nan
        if not 0 < number < math.inf:
            self.fail(f"{value!r} is not a number above 0, such as 250, 100k or 1.5M", param, ctx)
        return number


@command(
    "headroom size --controller EP420i --raid 5 --drive SAS-12G-SSD --drives 8 --profile Database",
    "headroom size --iops 100000 --capacity 5TB --profile Database",
    "headroom size --iops 100000 --profile Database --sort price",
    "headroom size --latency-us 300 --profile Database --format csv",
)
@click.option("--controller", help="Controller; part of a name is enough, also below.")
@click.option("--raid", "raid_level", help="RAID level: 5, or raid 10.")
@click.option("--drive", help="Drive model.")
@click.option("--drives", "drive_count", type=click.IntRange(1), help="Number of drives.")
@click.option("--profile", required=True, help="Load profile: Database, or 8k random 67% read.")
@click.option("--iops", type=_AboveZero(), help="Target I/Os per second: 250, 100k or 1.5M.")
@click.option("--capacity", help="Target usable capacity: 5TB, 800GB, 4TiB.")
@click.option("--latency-us", type=_AboveZero(), help="Target mean latency, at most.")
@click.option("--max-price", help="Of the controller and drives, with its currency: 9000EUR.")
@click.option("--max-power-watt", type=_AboveZero(), help="Of the controller and drives.")
@click.option("--sort", type=click.Choice(["drives", "price", "power"]), default="drives",
    show_default=True, help="Order of designs; unknown prices and power come last.",
)  # fmt: skip
@format_option("table", "csv", "json", "md")
def size(warehouse: Warehouse, output: str, **options: Any) -> None:
    """Predict what an array reaches, limit by limit; or find arrays that reach a target.

    With a controller, RAID level, drive and number of drives it prints every limit and the
    prediction. With a target it lists the fewest drives of each design that reach it, the surest
    first: rates of drives known only from a data sheet are upper bounds. Prices and power are those
    of a headroom.yml.
    """
    targets = {
        "iops": options["iops"],
        "terabytes": terabytes(options["capacity"]),
        "latency_us": options["latency_us"],
    }
    price, currency = money(options["max_price"])
    choice = {
        "max_price": price,
        "currency": currency,
        "max_power_watts": options["max_power_watt"],
        "sort": options["sort"],
    }
    with warehouse.open_published() as connection:
        array = _array(connection, **options)
        if any(targets.values()):
            _designs(connection, array, targets | choice, output)
        elif price or choice["max_power_watts"] or choice["sort"] != "drives":
            raise WarehouseError(
                "--max-price, --max-power-watt and --sort need a target: "
                "--iops, --capacity or --latency-us"
            )
        else:
            _limits(connection, array, output)


def terabytes(text: str | None) -> float | None:
    """5TB, 800 GB or 4 TiB in units of 10^12 bytes; raises WarehouseError for anything else."""
    if text is None:
        return None
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) *([a-z]+)", text.strip(), re.IGNORECASE)
    if not parts or parts[2].upper() not in _TERABYTES or float(parts[1]) == 0:
        raise WarehouseError(f"--capacity {text}: write a number and TB, GB, TiB or GiB, as in 5TB")
    return float(parts[1]) * _TERABYTES[parts[2].upper()]


def money(text: str | None) -> tuple[float | None, str | None]:
    """Number and currency of 9000EUR or 9000 EUR; raises WarehouseError for anything else."""
    if text is None:
        return None, None
    parts = re.fullmatch(r"(\d+(?:\.\d+)?) *([a-z]{3})", text.strip(), re.IGNORECASE)
    if not parts or float(parts[1]) == 0:
        raise WarehouseError(f"--max-price {text}: write a number and its currency, as in 9000EUR")
    return float(parts[1]), parts[2].upper()


def _array(
    connection: duckdb.DuckDBPyConnection,
    controller: str | None,
    raid_level: str | None,
    drive: str | None,
    drive_count: int | None,
    profile: str,
    **_: Any,
) -> Array:
    return Array(
        controller and find_named(connection, "controller", "dim_controllers", controller),
        raid_level and find_raid_level(connection, raid_level),
        drive and find_named(connection, "drive", "dim_drives", drive),
        drive_count,
        find_profile(connection, profile),
    )


def _limits(connection: duckdb.DuckDBPyConnection, array: Array, output: str) -> None:
    options = ("--controller", "--raid", "--drive", "--drives")
    if missing := [option for option, value in zip(options, array[:4], strict=True) if not value]:
        raise WarehouseError(
            f"give {', '.join(missing)} too, or a target: --iops, --capacity or --latency-us"
        )
    found = connection.sql(_LIMITS, params=array._asdict())
    if not len(found):
        raise WarehouseError(f"no prediction: {why_not(connection, array)}")
    if output != "table":
        FORMATS[output](found.project("* exclude (profile_label)"))
        return
    rows = found.select(
        "if(is_binding, '*', '') as is_binding, ceiling_kind, value_label, basis, profile_label"
    ).fetchall()
    terminal.wrapped(
        f"{array.controller}, {array.raid_level}, {array.drive_count} x {array.drive}, {rows[0][4]}"
    )
    heads = [("", "limit", "value", "why (* binds)")]
    terminal.grid(
        [*heads, *(tuple(cell or "" for cell in row[:4]) for row in rows)], (1, 14, 14, 62)
    )
    claims = connection.execute(_CLAIMS, _without_count(array)).fetchall()
    click.echo("claims in documents:" if claims else "no claims in documents")
    for (claim,) in claims:
        terminal.wrapped(claim, indent=2)


def _without_count(array: Array) -> dict[str, Any]:
    return {name: value for name, value in array._asdict().items() if name != "drive_count"}


def _designs(
    connection: duckdb.DuckDBPyConnection, array: Array, wanted: dict[str, Any], output: str
) -> None:
    found = connection.sql(_DESIGNS.read_text(), params=array._asdict() | wanted)
    if not len(found):
        raise WarehouseError(
            f"no array, predicted or measured, reaches this at {array.profile_id}; lower a target, "
            "drop an option, or list the load profiles: headroom catalog profiles"
            + "; unknown prices and power are left out"
            * bool(wanted["max_price"] or wanted["max_power_watts"])
        )
    if output != "table":
        FORMATS[output](found)
        return
    columns = _PRICED if found.filter("coalesce(price, power_watts) > 0").fetchone() else _COLUMNS
    widths = [width for _, width in columns.values()]
    rows = found.select(", ".join(["reach", *(name for name, _ in columns.values())])).fetchall()
    terminal.grid([[*columns]], widths)
    for reach, designs in itertools.groupby(rows[:_SHOWN_DESIGNS], key=operator.itemgetter(0)):
        terminal.wrapped(f"{_REACH[reach]}:")
        terminal.grid([tuple(cell or "" for cell in design[1:]) for design in designs], widths)
    if more := rows[_SHOWN_DESIGNS:]:
        click.echo(f"and {len(more)} more; --format csv lists all")
    if wanted["latency_us"]:
        click.echo("latency is not predicted: only measured arrays are listed")
    if columns is _PRICED:
        click.echo("price and power: controller and all drives")


def why_not(connection: duckdb.DuckDBPyConnection, array: Array) -> str:
    """The first part of the array that prevents a prediction, and the remedy."""
    (known,) = rows_of(connection.sql(_PARTS, params=_without_count(array)))
    return (
        _why_not_controller(array, known)
        or _why_not_drive(array, known)
        or _why_not_count(array, known)
    )


def _why_not_controller(array: Array, known: dict[str, Any]) -> str | None:
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


def _why_not_drive(array: Array, known: dict[str, Any]) -> str | None:
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


def _why_not_count(array: Array, known: dict[str, Any]) -> str:
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
    span = f"{counts[0]} to {counts[-1]}" if len(counts) > 2 and has_all else None
    shown = span or ", ".join(map(str, counts))
    most = "" if (known["most"] or 0) <= counts[-1] else f"; it takes up to {known['most']}"
    return f"predictions for {array.controller} at {array.raid_level} are for {shown} drives" + most
