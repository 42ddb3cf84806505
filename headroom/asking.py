"""The commands that ask what is published."""

import datetime
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

from headroom import contents, show
from headroom import status as warehouse_status
from headroom.cli import EXIT_CHECKS_FAILED, command
from headroom.query import FORMATS, answer, parameters, prompt
from headroom.warehouse import Warehouse, WarehouseError


class _Query(click.Command):
    """Whose argument may begin with a comment of SQL, `-- why`, and is no option then."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        queries = [arg for arg in args if arg.startswith("--") and len(arg.split(maxsplit=1)) > 1]
        options = [arg for arg in args if arg not in queries]
        return super().parse_args(context, [*options, "--", *queries] if queries else args)


@command(
    'headroom sql "select * from measurements where page = 18"',
    'headroom sql --format csv "from dim_controllers" > controllers.csv',
    "headroom sql --file slowest.sql --param vendor=Fujitsu",
    "headroom sql",
    cls=_Query,
)
@click.argument("query", required=False)
@click.option(
    "--file", "-f", type=click.File(), help="Read the queries from a file; - is the standard input."
)
@click.option(
    "--param",
    "-p",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of $NAME: 18 and 0.5 are numbers, '18' in quotes is a text.",
)
@click.option("--format", "output", type=click.Choice([*FORMATS]), default="table",
    show_default=True,
)  # fmt: skip
def sql(
    warehouse: Warehouse,
    query: str | None,
    file: TextIO | None,
    given: tuple[str, ...],
    output: str,
) -> None:
    """Ask the published file, read-only. Marts need no schema before their name.

    Without a query it reads the standard input; on a terminal it prompts, and Tab completes names.
    A table too wide for the terminal is printed with one column a line.
    """
    if query and file:
        raise WarehouseError("give a query or --file, not both")
    values = parameters(given)
    with warehouse.open_published() as connection:
        if query is None and file is None and sys.stdin.isatty():
            prompt(connection, lambda text: answer(connection, text, values, output))
        else:
            text = query if query is not None else (file or sys.stdin).read()
            answer(connection, text, values, output)


@command("headroom schema", "headroom schema measurements")
@click.argument("mart", required=False)
def schema(warehouse: Warehouse, mart: str | None) -> None:
    """List the marts, or the columns of one, with what they mean."""
    with warehouse.open_published() as connection:
        contents.schema(connection, mart)


@command("headroom catalog controllers", "headroom catalog profiles")
@click.argument("kind", type=click.Choice([*contents.KINDS]))
def catalog(warehouse: Warehouse, kind: str) -> None:
    """List the known names, with how many measurements each has."""
    with warehouse.open_published() as connection:
        show.table(connection.sql(contents.KINDS[kind]))


@command(
    "headroom cat data/samples/fio-virtual-disk/2026-11-21-libaio.json",
    "headroom cat 3f1c09 > run.json",
)
@click.argument("source")
def cat(warehouse: Warehouse, source: str) -> None:
    """Print a source from the archive, byte for byte, by its path or the start of its file_id.

    A paper is a tar of its folder's files.
    """
    with warehouse.open_published() as connection:
        content = contents.archived(connection, warehouse.archive, source)
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


@command("headroom export tables", "headroom export --format csv tables")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--format", "file_format", type=click.Choice(["parquet", "csv"]), default="parquet",
    show_default=True,
)  # fmt: skip
def export(warehouse: Warehouse, folder: Path, file_format: str) -> None:
    """Write each mart into a file of a new FOLDER, and what each column means into columns.csv."""
    contents.export(warehouse, folder, file_format)


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
    """Say what an array reaches at a load profile, limit by limit; or what reaches a target.

    With controller, level, drive and their number: every limit, the one that binds, and what that
    predicts. With a target: the fewest drives of each design that reach it.
    """
    from headroom.size import Targets, terabytes
    from headroom.size import size as size_array

    targets = Targets(iops, terabytes(capacity), latency_us)
    with warehouse.open_published() as connection:
        size_array(connection, controller, raid_level, drive, drive_count, profile, targets, output)


@command("headroom status", "headroom status --quiet || mail -s 'headroom' lab@example.org")
@click.option("--quiet", "-q", is_flag=True, help="Say only why the last night did not publish.")
def status(warehouse: Warehouse, quiet: bool) -> None:
    """How the last nights went, what was checked, what is quarantined; what is published.

    Exits 1 if the last night that ended did not publish: the published file lacks its results.
    """
    failure = warehouse_status.last_failure(warehouse)
    if not quiet:
        warehouse_status.status(warehouse)
        warehouse_status.next_steps(sys.argv[0])
    if failure:
        click.echo(f"headroom: {failure}", err=True)
        sys.exit(EXIT_CHECKS_FAILED)
