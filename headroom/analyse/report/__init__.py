"""`headroom report`: the marts as one self-contained HTML file."""

from pathlib import Path

import click
import duckdb

from headroom.analyse.report.page import Part, html, to_pdf
from headroom.analyse.report.parts import night, parts
from headroom.analyse.report.scope import Scope, choose
from headroom.cli import command
from headroom.warehouse import Warehouse

__all__ = ["EVERYTHING", "Scope", "report"]

EVERYTHING = Scope()

_FACTS = """
    select
        count(*) filter (document_id is null and is_chosen) as own_value_count,
        count(distinct file_id) filter (document_id is null and is_chosen) as file_count,
        count(*) filter (document_id is not null) as published_value_count,
        count(distinct document_id) as paper_count,
        coalesce(bool_or(headline_metric = 'bytes_per_second'), false) as has_throughput,
    from (
        select *, measurement_id in (from chosen) as is_chosen
        from rpt_measurements semi join shown using (measurement_id)
    )
"""


@command(
    "headroom report results.html",
    "headroom report ep420i.html --controller EP420i --pdf",
    "headroom report sda.html --runs data/samples/fio-virtual-disk",
    "headroom report mine.html --runs data/samples/fio-virtual-disk-runs --profile Database",
    "headroom report night.html --last-night",
    name="report",
)
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False, writable=True))
@click.option("--controller", "controllers", multiple=True, metavar="NAME",
    help="Only this controller; with --runs, its published values beside your results. Part of "
    "its name is enough. May be given several times.",
)  # fmt: skip
@click.option("--runs", multiple=True, metavar="PATH", type=click.Path(path_type=Path),
    help="Only your own results at or below this path. May be given several times.",
)  # fmt: skip
@click.option("--profile", help="Only this load profile: Database, or 8k random 67% read.")
@click.option("--last-night", is_flag=True, help="Only the last night and the files it loaded.")
@click.option("--pdf", is_flag=True, help="Also write a PDF beside it; needs Chromium.")
def report_command(
    warehouse: Warehouse,
    target: Path,
    controllers: tuple[str, ...],
    runs: tuple[Path, ...],
    profile: str | None,
    last_night: bool,
    pdf: bool,
) -> None:
    """Write a report as one HTML file: a conclusion, charts, the numbers behind them, sources.

    It covers everything by default; options combine. The file has no scripts and loads nothing from
    elsewhere.
    """
    if target.suffix.lower() == ".pdf":
        raise click.UsageError(f"{target}: name the HTML file and add --pdf, which writes both")
    content = report(warehouse, Scope(controllers, runs, profile, last_night))
    target.write_text(content, encoding="utf-8")
    click.echo(f"wrote {target}")
    if pdf:
        printed = target.with_suffix(".pdf")
        to_pdf(target, printed)
        click.echo(f"wrote {printed}")


def report(warehouse: Warehouse, scope: Scope = EVERYTHING) -> str:
    """The page; raises WarehouseError if the scope is empty."""
    of_night: list[Part] = []
    if scope.is_last_night:
        with warehouse.open_quality() as connection:
            of_night += night(connection)
    with warehouse.open_published() as connection:
        title = choose(connection, scope)
        of_values = list(parts(connection))
        facts = _facts(connection)
    found = sorted([*of_night, *of_values], key=lambda part: not part.is_lead)
    return html(title, warehouse.published.resolve().name, facts, found)


def _facts(connection: duckdb.DuckDBPyConnection) -> str:
    """How many values and sources the page covers, and its unit of throughput."""
    ((ours, files, published, papers, has_throughput),) = connection.execute(_FACTS).fetchall()
    facts = f"Our own values: {ours:,}, from {files:,} file{'s' * (files != 1)}." if ours else ""
    if published:
        facts += f" Published values: {published:,}, from {papers:,} paper{'s' * (papers != 1)}."
    if has_throughput:
        facts += " A GB/s is 10^9 bytes a second; “as printed” keeps the paper's MB/s (see Papers)."
    return facts.strip()
