"""Each colour has one meaning, and even the colour-blind can tell them apart."""

import itertools
import json
import re
from pathlib import Path

import pytest

from benchmarks.board_queries import boards
from dashboards import colours
from dashboards.colours import CONFIDENCE, GREY, RUN_VERDICTS, VERDICTS

# Machado, Oliveira, Fernandes 2009, severity 1: linear red, green and blue as they are seen.
_SEEN = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Ottosson 2020, OKLab.
_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_SETS = {
    "verdicts": VERDICTS,
    "confidence": CONFIDENCE | {"range": GREY},
    "run verdicts": RUN_VERDICTS,
}


def _times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _linear(colour):
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]


def _lab(colour, sight):
    seen = [min(max(share, 0), 1) for share in _times(_SEEN[sight], _linear(colour))]
    return _times(_OKLAB, [cone ** (1 / 3) for cone in _times(_CONES, seen)])


@pytest.mark.parametrize("name", _SETS)
@pytest.mark.parametrize("sight", _SEEN)
def test_colours_are_distinguishable(name, sight):
    near = {
        (one, other): round(distance, 3)
        for (one, a), (other, b) in itertools.combinations(_SETS[name].items(), 2)
        if (
            distance := sum(
                (x - y) ** 2 for x, y in zip(_lab(a, sight), _lab(b, sight), strict=True)
            )
            ** 0.5
        )
        < 0.09
    }
    assert near == {}


def _luminance(colour):
    """Relative luminance of '#rrggbb': WCAG 2.1."""
    return sum(_times([(0.2126, 0.7152, 0.0722)], _linear(colour)))


def test_a_colour_has_one_meaning():
    runs = {word: colour for word, colour in colours.RUN_VERDICTS.items() if word != "trusted"}
    kinds = (
        colours.VENDORS, colours.CEILINGS, colours.VERDICTS, runs,
        colours.DIRECTIONS, {"measured": colours.MEASURED},
        {"practical": colours.EVIDENCE["practical"]}, dict(enumerate(colours.CURVES)),
    )  # fmt: skip
    used = [colour for kind in kinds for colour in kind.values() if colour != colours.GREY]
    assert len(used) == len(set(used))


@pytest.mark.parametrize("background", ["#ffffff", "#181b1f"])
def test_colours_stand_out_on_light_and_dark_panels(background):
    used = set(re.findall(r"#[0-9a-f]{6}", Path(colours.__file__).read_text()))
    assert set(re.findall(r"#[0-9a-f]{6}", json.dumps(boards()))) <= used
    for colour in used:
        dark, light = sorted((_luminance(colour), _luminance(background)))
        assert (light + 0.05) / (dark + 0.05) >= 3, colour
