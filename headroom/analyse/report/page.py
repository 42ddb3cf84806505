"""The page: parts as one HTML file without scripts or external files, or as PDF."""

import datetime
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2

from headroom.warehouse import WarehouseError

Rows = list[dict[str, Any]]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_TEMPLATE = Path(__file__).with_name("page.html.j2")
_PRINT_SECONDS = 120
GLOSSARY = {
    "array": "The system measured: controller, RAID level, drives and stripe.",
    "load profile": "The I/O pattern: random or sequential, share of reads, block size.",
    "outstanding I/Os": "I/Os in flight at the same time, over all workers and drives.",
    "% of ceiling": (
        "The value over the lowest known limit: drives, disk interface, host interface or "
        "controller. With ≥ the true share may be higher, since an unknown limit may be lower."
    ),
    "knee": "The load beyond which latency grows faster than throughput.",
    "p99": "99 % of the I/Os took less time.",
    "as printed": "The value in the paper's own words and unit.",
    "–": "Not reported.",
}


@dataclass(frozen=True)
class Statement:
    """Sentences about one array at one load profile."""

    subject: str
    text: str
    conditions: str


@dataclass(frozen=True)
class Part:
    """A section: statements, a chart and a table."""

    heading: str
    note: str
    rows: Rows
    svg: str = ""
    statements: tuple[Statement, ...] = ()
    is_lead: bool = False  # before the list of sections


def html(title: str, release: str, facts: str, parts: Iterable[Part]) -> str:
    shown = [part for part in parts if part.rows or part.svg or part.statements]
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"cell": cell, "columns": columns}
    return environment.from_string(_TEMPLATE.read_text()).render(
        title=title,
        release=release,
        facts=facts,
        parts=shown,
        lead_count=sum(part.is_lead for part in shown),
        glossary=_glossary(shown),
        version=version("headroom"),
    )


def _glossary(parts: Iterable[Part]) -> dict[str, str]:
    """The terms that occur on the page."""
    texts = [
        text
        for part in parts
        for text in (
            part.heading, part.note, part.svg, *(one.text for one in part.statements),
            *(columns(part.rows) if part.rows else ()),
            *(cell(value, name) for row in part.rows for name, value in row.items()),
        )
    ]  # fmt: skip
    return {
        word: meaning for word, meaning in GLOSSARY.items() if any(word in text for text in texts)
    }


def columns(rows: Rows) -> dict[str, bool]:
    """Whether each column is numeric, without empty columns."""
    values = {name: [row[name] for row in rows if row[name] is not None] for name in rows[0]}
    return {name: isinstance(some[0], int | float) for name, some in values.items() if some}


def cell(value: object, heading: str) -> str:
    """A value as text: µs as µs or ms, ratios in per cent, a dash if not reported."""
    if value is None:
        return "–"
    if isinstance(value, datetime.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if not isinstance(value, int | float):
        return str(value)
    if heading == "mean latency":
        return f"{value:,.0f} µs" if value < 1000 else f"{value / 1000:,.3g} ms"
    if heading == "run length":
        return f"{value:,.3g} s"
    if heading == "apart":
        return f"{100 * value:.0f} %"
    if heading == "change":
        return f"{value:+.1%}"
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def to_pdf(page: Path, target: Path) -> None:
    """Print the page with Chromium; raises WarehouseError if that fails."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise WarehouseError(
            f"{target}: a PDF needs Chromium or Chrome; print {page} from a browser"
        )
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={target}"]
    if os.geteuid() == 0:  # Chromium has no sandbox for root
        options.append("--no-sandbox")
    command = [browser, *options, page.resolve().as_uri()]
    target.unlink(missing_ok=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PRINT_SECONDS)
    except subprocess.TimeoutExpired as error:
        reason = f"{browser} did not print within {_PRINT_SECONDS} s"
        raise WarehouseError(f"{target}: {reason}; print {page} from a browser") from error
    if done.returncode or not target.exists():
        raise WarehouseError(f"{target}: {browser} did not print: {done.stderr.strip()[-300:]}")
