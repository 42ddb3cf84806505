"""The commands that answer from the published file: compare, size, forecast, report."""

import datetime
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from headroom.cli import command
from headroom.warehouse import Warehouse, WarehouseError

_NUMBER = re.compile(r"(.*?)([kKM]?)$")
_FACTORS = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6}


def _format_option(*formats: str) -> Callable[..., Any]:
    return click.option(
        "--format", "output", type=click.Choice(formats), default="table", show_default=True
    )


@command(
    "headroom compare CP400i EP420i --profile Database",
    "headroom compare fio-virtual-disk fio-virtual-disk-runs --format md",
    "headroom compare previous last",
)
@click.argument("a")
@click.argument("b")
@click.option("--profile", help="Only this load profile, by its name or id.")
@click.option("--baseline", metavar="A|B", help="Which of the two counts as 1.  [default: A]")
@click.option("--since", metavar="NIGHT", type=click.DateTime(["%Y-%m-%d"]),
    help="Only your own runs measured on or after this day (UTC).",
)  # fmt: skip
@_format_option("table", "csv", "json", "md")
def compare(
    warehouse: Warehouse,
    a: str,
    b: str,
    profile: str | None,
    baseline: str | None,
    since: datetime.datetime | None,
    output: str,
) -> None:
    """Compare A and B: medians, their factor, and whether it is more than noise.

    A and B are controllers, drives, arrays, documents, hosts or folders of results; parts of names
    are enough. `previous` and `last` are the last two nights. A factor is printed only if nothing
    but A and B differs; see docs/compare.md.
    """
    from headroom.compare import NIGHTS  # imports jinja2
    from headroom.compare import compare as compare_subjects

    sides = {"a": a, "b": b, a: a, b: b}
    base = sides.get(baseline or a) or sides.get(str(baseline).lower())
    if base is None:
        raise WarehouseError(f"--baseline {baseline}: write A ({a}) or B ({b})")
    first, second = (b, a) if base != a or (a, b) == NIGHTS[::-1] else (a, b)
    day = f"{since:%Y-%m-%d}" if since else None
    compare_subjects(warehouse, first, second, profile, day, output)


class _AboveZero(click.ParamType):
    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        digits, unit = _NUMBER.findall(str(value).strip())[0]
        try:
            number = float(digits) * _FACTORS[unit]
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
@click.option("--profile", required=True, help="Load profile, by name or id.")
@click.option("--iops", type=_AboveZero(), help="Target I/Os per second: 250, 100k or 1.5M.")
@click.option("--capacity", help="Target usable capacity: 5TB, 800GB, 4TiB.")
@click.option("--latency-us", type=_AboveZero(), help="Target mean latency, at most.")
@click.option("--max-price", help="Of the controller and drives, with its currency: 9000EUR.")
@click.option("--max-power-watt", type=_AboveZero(), help="Of the controller and drives.")
@click.option("--sort", type=click.Choice(["drives", "price", "power"]), default="drives",
    show_default=True, help="Order of designs; unknown prices and power come last.",
)  # fmt: skip
@_format_option("table", "csv", "json", "md")
def size(
    warehouse: Warehouse,
    controller: str | None,
    raid_level: str | None,
    drive: str | None,
    drive_count: int | None,
    profile: str,
    iops: float | None,
    capacity: str | None,
    latency_us: float | None,
    max_price: str | None,
    max_power_watt: float | None,
    sort: str,
    output: str,
) -> None:
    """Predict what an array reaches, limit by limit; or find arrays that reach a target.

    Given controller, RAID level, drive and number of drives: every limit, the binding one and the
    prediction. Given a target: the minimum drives of each design that reach it. Designs with drives
    known only from a data sheet are upper bounds and come last. Prices and power are those of a
    headroom.yml.
    """
    from headroom.size import Choice, Targets, money, terabytes
    from headroom.size import size as size_array

    targets = Targets(iops, terabytes(capacity), latency_us)
    choice = Choice(*money(max_price), max_power_watt, sort)
    with warehouse.open_published() as connection:
        size_array(
            connection, controller, raid_level, drive, drive_count, profile, targets, choice, output
        )


@command("headroom forecast papers/calomel-zfs-raid")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def forecast(warehouse: Warehouse, folder: Path) -> None:
    """Predict the arrays of a document in FOLDER before its values are digitised.

    Fills in the open rows of FOLDER/forecasts.csv from the published predictions, or the reason why
    there is none. Commit it before you digitise the values; marts.rpt_forecasts has the score. See
    docs/white-papers.md.
    """
    from headroom.forecast import forecast as forecast_document  # its sheets import polars

    with warehouse.open_published() as connection:
        forecast_document(connection, folder)


@command(
    "headroom report results.html",
    "headroom report ep420i.html --controller EP420i --pdf",
    "headroom report sda.html --runs data/samples/fio-virtual-disk",
    "headroom report mine.html --runs data/samples/fio-virtual-disk-runs --profile Database",
    "headroom report night.html --last-night",
)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False, writable=True))
@click.option("--controller", "controllers", multiple=True, metavar="NAME",
    help="Only this controller; with --runs, its published values beside your results. Part of "
    "its name is enough. May be given several times.",
)  # fmt: skip
@click.option("--runs", multiple=True, metavar="PATH", type=click.Path(path_type=Path),
    help="Only your own results at or below this path. May be given several times.",
)  # fmt: skip
@click.option("--profile", help="Only this load profile, by its name or id.")
@click.option("--last-night", is_flag=True, help="Only the last night and the files it loaded.")
@click.option("--pdf", is_flag=True, help="Also write a PDF beside it; needs Chromium.")
def report(
    warehouse: Warehouse,
    target: Path,
    controllers: tuple[str, ...],
    runs: tuple[Path, ...],
    profile: str | None,
    last_night: bool,
    pdf: bool,
) -> None:
    """Write a report as one HTML file: a conclusion, charts, the numbers behind them, sources.

    Without an option it covers everything; options narrow it down together. The file has no
    scripts and loads nothing from elsewhere.
    """
    from headroom.report import Scope  # its charts take a second to import
    from headroom.report import report as page
    from headroom.report.page import to_pdf

    content = page(warehouse, Scope(controllers, runs, profile, last_night))
    target.write_text(content, encoding="utf-8")
    click.echo(f"wrote {target}")
    if pdf:
        printed = target.with_suffix(".pdf")
        to_pdf(target, printed)
        click.echo(f"wrote {printed}")
