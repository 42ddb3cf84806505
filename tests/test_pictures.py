"""The picture in docs/ceilings.md shows the numbers that its command prints.

`pytest tests/test_pictures.py --regenerate` draws it anew.
"""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from headroom.analyse.report.charts import svg
from tests.conftest import ROOT
from tests.in_process import printed_rows

PAGE = (ROOT / "docs/ceilings.md").read_text()
PICTURE = ROOT / "docs/pictures/limits.svg"
COMMAND = re.findall(r"^    headroom (size .*)$", PAGE, re.MULTILINE)[0]
_COLOURS = {"condition": {"test": "datum.is_binding", "value": "#3f7fe0"}, "value": "#c9ced6"}
_ABOVE = {"type": "text", "align": "left", "dy": -20, "fontSize": 12}


@pytest.fixture(scope="module")
def limits(release: Path) -> list[dict[str, Any]]:
    """The limits, lowest first; the prediction after them has the drive count that saturates it."""
    *limits, prediction = printed_rows(release, *shlex.split(COMMAND))
    assert "saturated by 7 drives" in prediction["basis"]
    assert "seven are enough" in PAGE
    return limits


def _bars(limits: list[dict[str, Any]]) -> str:
    order = {"field": "ceiling_kind", "type": "nominal", "sort": None, "axis": None}
    label = "datum.value_label + (datum.is_binding ? ': the lowest limit binds' : '')"
    layer = [
        {"mark": {"type": "bar", "height": 18}, "encoding": {"color": _COLOURS}},
        {
            "transform": [{"calculate": label, "as": "label"}],
            "mark": {"type": "text", "align": "left", "dx": 6, "fontSize": 12},
            "encoding": {"text": {"field": "label"}},
        },
        *(
            {"mark": _ABOVE | look, "encoding": {"text": {"field": field}, "x": {"value": at}}}
            for field, at, look in (
                ("ceiling_kind", 0, {"fontWeight": "bold"}),
                ("basis", 110, {"color": "#5b6270"}),
            )
        ),
    ]
    x = {"field": "value", "type": "quantitative", "axis": None, "scale": {"nice": False}}
    # A fixed size: a size fitted to the text depends on the machine's fonts.
    spec = {
        "width": 640,
        "height": {"step": 52},
        "autosize": "none",
        "padding": {"left": 5, "top": 5, "right": 100, "bottom": 5},
        "encoding": {"y": order, "x": x},
        "layer": layer,
    }
    return svg(spec, limits)


def test_four_limits_are_drawn_and_the_controller_binds(limits: list[dict[str, Any]]) -> None:
    kinds = ["controller", "drives", "disk interface", "host interface"]
    assert [row["ceiling_kind"] for row in limits] == kinds
    assert [row["ceiling_kind"] for row in limits if row["is_binding"]] == ["controller"]
    assert "up to 133000 IO/s" in limits[0]["basis"] and "p. 49" in limits[0]["basis"]


def test_picture_is_up_to_date(
    limits: list[dict[str, Any]], request: pytest.FixtureRequest
) -> None:
    drawn = _bars(limits) + "\n"
    if request.config.getoption("--regenerate"):
        PICTURE.write_text(drawn)
    assert PICTURE.read_text() == drawn
