"""The texts that boards_e2e reports as cut; needs Playwright and Chromium."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import sync_playwright

from tests import boards_e2e

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
BOARD = """
<section style="width: 300px; overflow: hidden">
  <div role="grid" style="width: 200px; overflow: hidden; display: flex">
    <div role="columnheader" style="flex: 0 0 150px; overflow: hidden">whole</div>
    <div role="columnheader" style="flex: 0 0 150px; overflow: hidden">measurement</div>
    <div role="columnheader" style="flex: 0 0 150px">out of sight</div>
  </div>
  <div role="grid" style="width: 200px">
    <div role="columnheader" style="width: 30px; overflow: hidden">quarantined</div>
    <div role="gridcell" style="width: 90px; overflow: hidden">whole cell</div>
    <div role="gridcell" style="width: 30px; overflow: hidden">published</div>
    <div role="gridcell" style="width: 90px; height: 20px; line-height: 20px; overflow: hidden">
      RAID Controller Performance</div>
  </div>
  <div data-testid="data-testid VizLegend series"><button>\u200bclat read\u200b</button></div>
  <div data-testid="data-testid VizLegend series"><button>the other\u200b</button></div>
  <div data-testid="data-testid VizLegend series" style="width: 900px">
    <button style="width: 900px">wide</button></div>
  <canvas width="200" height="50"></canvas>
</section>
<script>
  const drawing = document.querySelector('canvas').getContext('2d');
  drawing.fillText('drawn before', 190, 20);
  drawing.clearRect(0, 0, 200, 50);
  drawing.textAlign = 'right';
  drawing.fillText('Intel SSD DC S3500 Series', 60, 20);
  drawing.fillText('fits', 60, 40);
  drawing.textAlign = 'left';
  drawing.fillText('300 kIOPS', 180, 40);
</script>
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip(f"no {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_init_script(boards_e2e._NOTE_CUT_TEXTS)
        page.goto("about:blank")
        page.set_content(BOARD)
        yield page
        browser.close()


def test_only_cut_texts_are_reported(page: Any) -> None:
    assert list(boards_e2e._cut(page)) == [
        "a table cuts 'published'",
        "a table cuts 'RAID Controller Performance'",
        "a table cuts the heading 'measurement'",
        "a table cuts the heading 'quarantined'",
        "a legend cuts 'the other\\u200b'",
        "a legend cuts 'wide'",
        "a chart cuts 'Intel SSD DC S3500 Series'",
        "a chart cuts '300 kIOPS'",
    ]
