"""The commands that compare, size and report: what the published file says of a question."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from headroom.cli import command
from headroom.warehouse import Warehouse, WarehouseError


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
@click.option("--baseline", metavar="A|B", help="Which of the two counts as 1: the first.")
@click.option("--since", metavar="NIGHT", type=click.DateTime(["%Y-%m-%d"]),
    help="Of your own runs only those measured on this day (UTC) or later.",
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
    will do. `previous` and `last` are the last two nights. A factor stands only where nothing but A
    and B differs; docs/compare.md says what that is.
    """
    from headroom.compare import NIGHTS  # imports jinja2
    from headroom.compare import compare as compare_subjects

    if baseline not in (None, a, b):
        raise WarehouseError(f"--baseline {baseline}: is neither {a} nor {b}")
    first, second = (b, a) if baseline == b or (a, b) == NIGHTS[::-1] else (a, b)
    day = f"{since:%Y-%m-%d}" if since else None
    compare_subjects(warehouse, first, second, profile, day, output)


@command(
    "headroom size --controller EP420i --raid 5 --drive SAS-12G-SSD --drives 8 --profile Database",
    "headroom size --iops 100000 --capacity 5TB --profile Database",
    "headroom size --latency-us 300 --profile Database --format csv",
)
@click.option("--controller", help="Its name or a part of it, as all names here.")
@click.option("--raid", "raid_level", help="RAID level: 5, or raid 10.")
@click.option("--drive", help="The model of the drives.")
@click.option("--drives", "drive_count", type=click.IntRange(1), help="How many of them.")
@click.option("--profile", required=True, help="The load profile, by its name or id.")
@click.option("--iops", type=click.FloatRange(0), help="To be reached, in I/Os per second.")
@click.option("--capacity", help="Usable capacity to be reached: 5TB, 800GB, 4TiB.")
@click.option("--latency-us", type=click.FloatRange(0), help="Mean latency, at most.")
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
    output: str,
) -> None:
    """Predict what an array reaches, limit by limit; or find what reaches a target.

    With controller, level, drive and their number: every limit, the one that binds, and what that
    predicts. With a target: the fewest drives of each design that reach it.
    """
    from headroom.size import Targets, terabytes
    from headroom.size import size as size_array

    targets = Targets(iops, terabytes(capacity), latency_us)
    with warehouse.open_published() as connection:
        size_array(connection, controller, raid_level, drive, drive_count, profile, targets, output)


@command(
    "headroom report results.html",
    "headroom report ep420i.html --controller EP420i --pdf",
    "headroom report sda.html --runs data/samples/fio-virtual-disk",
    "headroom report night.html --last-night",
)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False, writable=True))
@click.option("--controller", "controllers", multiple=True, metavar="NAME",
    help="About a controller; part of its name is enough. May be given several times.",
)  # fmt: skip
@click.option("--runs", multiple=True, metavar="PATH", type=click.Path(path_type=Path),
    help="About your own results at or below a path. May be given several times.",
)  # fmt: skip
@click.option("--last-night", is_flag=True, help="About the last night and what it loaded.")
@click.option("--pdf", is_flag=True, help="Print it as a PDF beside it, too; needs Chromium.")
def report(
    warehouse: Warehouse,
    target: Path,
    controllers: tuple[str, ...],
    runs: tuple[Path, ...],
    last_night: bool,
    pdf: bool,
) -> None:
    """Write a report as one HTML file: charts, the numbers behind them, sources.

    Without an option it is about everything. The file has no scripts and loads nothing from
    elsewhere.
    """
    from headroom.report import report as page  # its charts take a second to import
    from headroom.report.page import to_pdf

    if sum(map(bool, (controllers, runs, last_night))) > 1:
        raise WarehouseError("give one of --controller, --runs and --last-night")
    content = page(warehouse, controllers, runs, is_last_night=last_night)
    target.write_text(content, encoding="utf-8")
    click.echo(f"wrote {target}")
    if pdf:
        printed = target.with_suffix(".pdf")
        to_pdf(target, printed)
        click.echo(f"wrote {printed}")
