"""`make boards-e2e`: every board in a real Grafana and a headless Chromium, light and dark.

Windows of 1366 and 1440 pixels show Grafana's menu, as after a login; those of 1920 and a phone's
430 do not.

Uses a running Grafana (GRAFANA_URL, GRAFANA_USER, GRAFANA_PASSWORD; provisioned with
dashboards/provisioning), or starts one from its folder GRAFANA_HOME, with the plugin in
GRAFANA_PLUGINS. Fails on any panel with an error or without content, and writes a picture of each
board and Grafana's log.
"""

import argparse
import base64
import itertools
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.board_queries import boards, panels, selections

ROOT = Path(__file__).parents[1]
THEMES = ("light", "dark")
WIDTHS = (430, 1366, 1440, 1920)
_WITHOUT_MENU = (430, 1920)
_PHONE_WIDTH = 430
_USUAL_WIDTH = 1440
_MENU = "localStorage.setItem('grafana.navigation.docked', 'true')"
_THREE_LINES, _FIVE_LINES = 82, 126
"""Pixels of a table's row; only folded tables may have five lines."""
_HEADER = "data-testid Panel header "
_ROW_PIXELS = 38
_HEAD_PIXELS = 260
_PATIENCE_SECONDS = 300  # a busy laptop is no fault
# Cells wider than their column or higher than their row: Grafana sizes a row by the text that it
# takes for the longest, and cuts a text that wraps into more lines.
_CUT_CELLS = """cells => cells.filter(cell => cell.innerText && (
    cell.scrollWidth > cell.clientWidth + 2 || cell.scrollHeight > cell.clientHeight + 2)
).map(cell => cell.innerText)"""
# Headings that their table's edge cuts, or that are wider than their column: they stick out to the
# right or, if aligned to the right, to the left.
_CUT_HEADINGS = """grids => grids.flatMap(grid => {
    const edge = grid.getBoundingClientRect().right;
    const isCut = heading => {
        const { left, right } = heading.getBoundingClientRect();
        const parts = [heading, ...heading.querySelectorAll('*')];
        const words = document.createRange();
        words.selectNodeContents(heading);
        return left < edge - 2 && right > edge + 2
            || words.getBoundingClientRect().left < left - 1
            || parts.some(part => part.clientWidth && part.scrollWidth > part.clientWidth + 2);
    };
    return [...grid.querySelectorAll('[role="columnheader"]')].filter(isCut)
        .map(heading => heading.innerText);
})"""
# Each row's panel, text and pixels, by its first cell: a row has no height of its own.
_ROWS = """cells => cells.filter(
    // one row may say why there is none
    cell => Number(cell.closest('[role="grid"]').getAttribute('aria-rowcount')) > 2
).map(cell => [
    cell.closest('section')?.getAttribute('data-testid') ?? '',
    cell.innerText, cell.getBoundingClientRect().height
])"""
_FIRST_CELLS = '[role="gridcell"][aria-colindex="1"]'
# Tables that show fewer whole rows than they have, and fewer than five.
_SHORT_TABLES = """grids => grids.flatMap(grid => {
    const bottom = grid.getBoundingClientRect().bottom;
    const rows = [...grid.querySelectorAll('[role="gridcell"][aria-colindex="1"]')];
    const whole = rows.filter(row => row.getBoundingClientRect().bottom <= bottom + 1).length;
    const count = Number(grid.getAttribute('aria-rowcount')) - 1;
    const name = grid.closest('section')?.getAttribute('data-testid');
    return whole < Math.min(5, count) ? [`${name}: ${whole} of ${count}`] : [];
})"""
# Bars that are not proportional to their numbers: Grafana cuts them in narrow columns.
_CUT_BARS = """grids => grids.flatMap(grid => {
    const columns = {};
    for (const cell of grid.querySelectorAll('[role="gridcell"]')) {
        const text = cell.querySelector('[data-testid="data-testid Bar gauge value"]');
        const [number, unit] = cell.innerText.match(/^([\\d.]+)(.*)/)?.slice(1) ?? [];
        if (!text || !Number(number)) continue;  // a share ends at 100 %
        const value = unit.trim() === '%' ? Math.min(number, 100) : Number(number);
        const bar = text.parentElement.lastElementChild.getBoundingClientRect().width;
        (columns[cell.ariaColIndex + unit] ??= []).push([value, bar]);
    }
    return Object.values(columns).flatMap(bars => {
        const [most, longest] = bars.reduce((a, b) => a[0] > b[0] ? a : b);
        return bars.filter(([value, bar]) => Math.abs(bar / longest - value / most) > 0.2)
            .map(([value]) => value);
    });
})"""
# Charts are drawn on a canvas: it records texts that do not fit on it, until it is redrawn.
_NOTE_CUT_TEXTS = """(() => {
    const drawing = CanvasRenderingContext2D.prototype;
    const { clearRect, fillText } = drawing;
    drawing.clearRect = function (...place) {
        this.canvas.cutTexts = [];
        return clearRect.apply(this, place);
    };
    drawing.fillText = function (text, x, y, ...rest) {
        const width = this.measureText(text).width;
        const share = { right: 1, end: 1, center: 0.5 }[this.textAlign] ?? 0;
        const left = x - share * width;
        const ends = [
            left + width - this.measureText(text.trimStart()).width,
            left + this.measureText(text.trimEnd()).width,
        ].map(
            end => this.getTransform().transformPoint(new DOMPoint(end, y)).x);
        const isCut = Math.min(...ends) < -1 || Math.max(...ends) > this.canvas.width + 1;
        if (isCut)
            (this.canvas.cutTexts ??= []).push(text);
        return fillText.call(this, text, x, y, ...rest);
    };
})()"""
_CUT_TEXTS = "canvases => canvases.flatMap(canvas => canvas.cutTexts ?? [])"
# Names that their panel cuts, or that lost a zero-width edge: Grafana removes words that all names
# of a chart begin or end with, and dashboards/charts.py adds a zero-width word there.
_CUT_NAMES = """names => names.filter(name => {
    const panel = name.closest('section')?.getBoundingClientRect();
    const words = name.innerText.trim();
    return panel && name.getBoundingClientRect().right > panel.right
        || words.startsWith('\\u200b') !== words.endsWith('\\u200b');
}).map(name => name.innerText)"""
_BLANK = """panels => panels.filter(panel => {
    const content = panel.querySelector('[data-testid="data-testid panel content"]');
    return content && !content.innerText.trim() && !content.querySelector('canvas, [role="grid"]');
}).map(panel => panel.getAttribute('data-testid'))"""
_NAMES = '[data-testid^="data-testid VizLegend series"] button'
Grafana = tuple[str, str]
"""Its address, and the header that logs in."""
Look = tuple[dict[str, Any], str, int]
"""A board, a theme and a width in pixels."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path, default=ROOT / ".boards")
    parser.add_argument("--warehouse", type=Path, default=ROOT / "warehouse")
    uids = [board["uid"] for board in boards()]
    parser.add_argument(
        "--board", action="append", choices=uids, help="only this; may be given several times"
    )
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--width", action="append", type=int, choices=WIDTHS)
    arguments = parser.parse_args()
    arguments.pictures.mkdir(exist_ok=True)
    chosen = [board for board in boards() if board["uid"] in (arguments.board or uids)]
    with (
        _grafana(arguments.warehouse.resolve(), arguments.pictures) as grafana,
        sync_playwright() as playwright,
    ):
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        looks = itertools.product(chosen, arguments.theme or THEMES, arguments.width or WIDTHS)
        faults = list(_open_all(browser, grafana, looks, arguments.pictures))
        faults += _open_otherwise(browser, grafana, chosen, arguments.warehouse)
        browser.close()
    print("\n".join(faults) or f"{len(chosen)} boards are well; pictures in {arguments.pictures}")
    sys.exit(bool(faults))


def _open_all(
    browser: Browser, grafana: Grafana, looks: Iterable[Look], pictures: Path
) -> Iterator[str]:
    for board, theme, width in looks:
        with _page(browser, grafana, board, width, theme=theme) as page:
            page.screenshot(path=pictures / f"{board['uid']}-{theme}-{width}.png")
            for fault in _faults(page, board):
                yield f"{board['uid']}, {theme}, {width}: {fault}"


def _open_otherwise(
    browser: Browser, grafana: Grafana, chosen: list[dict[str, Any]], warehouse: Path
) -> Iterator[str]:
    """Open each board with the last choice of each variable instead of the first, by a link."""
    with duckdb.connect(warehouse / "headroom.duckdb", read_only=True) as connection:
        others = [selections(board, connection)[1] for board in chosen]
    for board, other in zip(chosen, others, strict=True):
        values = {f"var-{name}": options[0] for name, options in other.items() if options}
        with _page(browser, grafana, board, _USUAL_WIDTH, **values) as page:
            for fault in _faults(page, board):
                yield f"{board['uid']} with {values}: {fault}"


@contextmanager
def _page(
    browser: Browser, grafana: Grafana, board: dict[str, Any], width: int, **query: str
) -> Iterator[Page]:
    """The drawn board, in a window as high as the board."""
    address, login = grafana
    height = _HEAD_PIXELS + _ROW_PIXELS * _rows_high(board, width)
    page = browser.new_page(
        viewport={"width": width, "height": height}, extra_http_headers={"Authorization": login}
    )
    page.add_init_script(_MENU)
    page.add_init_script(_NOTE_CUT_TEXTS)
    kiosk = {"kiosk": "true"} if width in _WITHOUT_MENU else {}
    page.goto(f"{address}/d/{board['uid']}?{urllib.parse.urlencode(kiosk | query)}")
    for row in (entry for entry in board["panels"] if entry["type"] == "row"):
        _open(page, row)
    _wait_until_drawn(page, board)
    yield page
    page.close()


def _open(page: Page, row: dict[str, Any]) -> None:
    """Open a folded row, found by the part of its title before a variable."""
    words = row["title"].split("$")[0]
    title = page.get_by_test_id(re.compile(f"dashboard-row-title-{re.escape(words)}"))
    title.click(timeout=_PATIENCE_SECONDS * 1000)


def _rows_high(board: dict[str, Any], width: int) -> int:
    """The height in grid rows; on a phone, panels stand below each other."""
    places = [panel["gridPos"] for panel in panels(board)]
    if width == _PHONE_WIDTH:
        return sum(place["h"] for place in places) + 2 * len(board["templating"]["list"])
    return int(max(place["y"] + place["h"] for place in places))


def _wait_until_drawn(page: Page, board: dict[str, Any]) -> None:
    for panel in (panel for panel in panels(board) if panel["type"] != "text"):
        header = page.get_by_test_id(f"data-testid Panel header {panel['title']}")
        header.first.wait_for(timeout=_PATIENCE_SECONDS * 1000)
    page.wait_for_load_state("networkidle")
    loading = page.locator('[aria-label="Panel loading bar"]')
    for _ in range(_PATIENCE_SECONDS):
        if not loading.count() and not _blank(page):
            break
        time.sleep(1)
    time.sleep(1)  # charts are drawn after the data is there


def _blank(page: Page) -> list[str]:
    """The panels that show nothing yet, also those whose query is not sent yet."""
    blank: list[str] = page.locator("section").evaluate_all(_BLANK)
    return blank


def _faults(page: Page, board: dict[str, Any]) -> Iterator[str]:
    for panel in _blank(page):
        yield f"the panel {panel!r} stays blank"
    if page.viewport_size and page.viewport_size["width"] != _PHONE_WIDTH:
        yield from _cut(page)
        yield from _high(page, board)
    for word in ("true", "false"):
        if page.locator('[role="gridcell"]').get_by_text(word, exact=True).count():
            yield f"a table says {word!r}"
    for status in page.get_by_test_id("data-testid Panel status error").all():
        panel = status.locator("xpath=ancestor::section[1]")
        yield f"error in the panel {(panel.get_attribute('data-testid') or '?')!r}"
    for words in (
        "No data",
        "No numeric fields",
        "error happened",
        "error occurred",
        "Panel plugin not found",
    ):
        for found in page.get_by_text(words, exact=False).all():
            panel = found.locator("xpath=ancestor::section[1]")
            title = panel.get_attribute("data-testid") if panel.count() else "?"
            yield f"{words!r} in the panel {title!r}"
    for _ in page.get_by_text("Err", exact=True).all():
        yield "a chart without points says 'Err' and not why"


def _cut(page: Page) -> Iterator[str]:
    """Cut texts: a table may be wider than its panel only on a phone, where people scroll."""
    for cell in page.locator('[role="gridcell"]').evaluate_all(_CUT_CELLS):
        yield f"a table cuts {cell!r}"
    grids = page.locator('[role="grid"]')
    for heading in grids.evaluate_all(_CUT_HEADINGS):
        yield f"a table cuts the heading {heading!r}"
    for table in grids.evaluate_all(_SHORT_TABLES):
        yield f"a table shows few whole rows: {table}"
    for value in grids.evaluate_all(_CUT_BARS):
        yield f"the bar of {value} is not as long as its number says"
    for name in page.locator(_NAMES).evaluate_all(_CUT_NAMES):
        yield f"a legend cuts {name!r}"
    for text in page.locator("canvas").evaluate_all(_CUT_TEXTS):
        yield f"a chart cuts {text!r}"


def _high(page: Page, board: dict[str, Any]) -> Iterator[str]:
    rows = [entry["panels"] for entry in board["panels"] if entry["type"] == "row"]
    folded = {panel["title"] for panel in itertools.chain.from_iterable(rows)}
    for panel, row, pixels in page.locator(_FIRST_CELLS).evaluate_all(_ROWS):
        if pixels > (_FIVE_LINES if panel.removeprefix(_HEADER) in folded else _THREE_LINES):
            yield f"a row of {panel!r} is {pixels:.0f} px high: {row!r}"


@contextmanager
def _grafana(warehouse: Path, pictures: Path) -> Iterator[Grafana]:
    if "GRAFANA_URL" in os.environ:
        user, password = (os.environ.get(f"GRAFANA_{name}", "") for name in ("USER", "PASSWORD"))
        yield os.environ["GRAFANA_URL"].rstrip("/"), _login(user or "admin", password)
        return
    if "GRAFANA_HOME" not in os.environ:
        sys.exit("boards-e2e needs a Grafana: set GRAFANA_URL, or GRAFANA_HOME to start one")
    with tempfile.TemporaryDirectory() as data:
        log = pictures / "grafana.log"
        yield from _started(Path(os.environ["GRAFANA_HOME"]), warehouse, Path(data), log)


def _started(home: Path, warehouse: Path, data: Path, log: Path) -> Iterator[Grafana]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    password = secrets.token_urlsafe()
    webhook = data / "alert_webhook_url"  # in a file, as with Compose
    webhook.write_text("http://127.0.0.1:9/\n")
    settings = {
        "GF_SERVER_HTTP_ADDR": "127.0.0.1",
        "GF_SERVER_HTTP_PORT": str(port),
        "GF_PATHS_DATA": str(data),
        "GF_PATHS_LOGS": str(data / "log"),
        "GF_PATHS_PLUGINS": os.environ.get("GRAFANA_PLUGINS", str(home / "plugins")),
        "GF_PATHS_PROVISIONING": str(ROOT / "dashboards/provisioning"),
        "GF_PLUGINS_ALLOW_LOADING_UNSIGNED_PLUGINS": "motherduck-duckdb-datasource",
        "GF_PLUGINS_PREINSTALL_DISABLED": "true",
        "GF_ANALYTICS_REPORTING_ENABLED": "false",
        "GF_ANALYTICS_CHECK_FOR_UPDATES": "false",
        "GF_SECURITY_ADMIN_PASSWORD": password,
        "HEADROOM_WAREHOUSE": str(warehouse),
        "HEADROOM_BOARDS": str(ROOT / "dashboards/generated"),
        "HEADROOM_ALERT_WEBHOOK_URL": f"$__file{{{webhook}}}",
    }
    command = [home / "bin/grafana", "server", "--homepath", home]
    with log.open("w") as lines:
        process = subprocess.Popen(command, env=os.environ | settings, stdout=lines, stderr=lines)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_up(address, process, log)
            yield address, _login("admin", password)
        finally:
            process.terminate()
            process.wait()


def _wait_until_up(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(_PATIENCE_SECONDS):
        try:
            urllib.request.urlopen(f"{address}/api/health", timeout=5)
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(1)
    sys.exit(f"Grafana did not start:\n{log.read_text()[-3000:]}")


def _login(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


if __name__ == "__main__":
    main()
