"""Reads fio's normal output, in the captures of this folder or elsewhere."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.fio_normal.formats import FORMATS
from tests.fio_normal.printed import Interval, exact, fixed, rounded_up, short, whole

CAPTURES = sorted(Path(__file__).parent.glob("*.txt"))
Numbers = dict[tuple[str, str], Interval]
"""By place and raw's column: ("0 read", "iops") is of jobs[0], ("group 0 read", "io_bytes") of its
group, ("disk vda", "util_percent") of a device. Latencies are in microseconds; in raw, their row
has the unit."""

PARTS = ("read", "write", "trim", "sync")
US = {"nsec": 1e-3, "usec": 1.0, "msec": 1e3}
_DOCUMENT = re.compile(r"^\{\n.*?^\}\n", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
_RANK = re.compile(r"([\d.]+)th=\[ *(\d+)\]")
_SHARE = re.compile(r"((?:>=)?\d+)=([\d.]+)%")
_FORMS: dict[str, Callable[[str], Interval]] = {
    "exact": exact,
    "fixed": fixed,
    "short": short,
    "whole": whole,
    "yes": lambda text: exact(str(int(text == "yes"))),
}


class _Format:
    def __init__(self, place: str, start: str, line: str) -> None:
        self.place, self.start = place, start
        self.fields: list[tuple[str, str]] = _FIELD.findall(line)
        self.has_unit = ("unit", "") in self.fields
        pattern = re.escape(_FIELD.sub("\0", line)).replace(r"\ ", " ")
        for _, form in self.fields:
            group = r" *([^\s(),-]+)" if form in _FORMS else "(.*?)"
            pattern = pattern.replace("\0", group, 1)
        self.match = re.compile(pattern).fullmatch


_FORMATS = [_Format(*one) for one in FORMATS]


def read_capture(path: Path) -> Numbers:
    return read_normal(path.read_text(), 1000 if path.stem.startswith("decimal") else 1024)


def read_normal(text: str, kb_base: int = 1024) -> Numbers:
    """The numbers of a run of fio with this `kb_base`; JSON in the same text is left out.

    Raises:
        ValueError: a line fits none of the formats, so that no number is overlooked.
    """
    found: Numbers = {}
    word = {"job": "-1"}
    for line in filter(None, _DOCUMENT.sub("", text).splitlines()):
        matches = ((one, match) for one in _FORMATS if (match := one.match(line)))
        format, match = next(matches, (None, None))
        if not format or not match:
            raise ValueError(f"fio prints no such line: {line!r}")
        fields = [(*field, part) for field, part in zip(format.fields, match.groups(), strict=True)]
        word |= {name: part.strip().lower() for name, form, part in fields if not form}
        if ("jobname", "") in format.fields:
            word["job"] = str(int(word["job"]) + 1)
        factor = _factor(word["unit"], kb_base) if format.has_unit else 1
        for name, form, part in fields:
            for end, printed in _numbers(name, form, part, word):
                key = format.place.format(**word), format.start.format(**word) + end
                printed = printed if form == "exact" else printed.times(factor)
                found[key] = printed.meets(found.get(key, printed))  # one number may have two units
    return found


def _factor(unit: str, kb_base: int) -> float:
    """The factor to microseconds, or to KiB/s for a sampled bandwidth: fio samples KiB/s (stat.c
    add_bw_samples) and does not convert them for the labels kB or bits; it divides values with
    the label MiB by kb_base."""
    return US.get(unit) or (kb_base if unit.startswith("m") else 1)


def _numbers(
    name: str, form: str, text: str, word: dict[str, str]
) -> Iterator[tuple[str, Interval]]:
    if form == "ranks":
        for rank, latency in _RANK.findall(text):
            is_cut = word["unit"] != "nsec"
            interval = rounded_up(latency) if is_cut else exact(latency)
            yield f"p{float(rank):g}", interval.times(US[word["unit"]])
    elif form == "shares":
        for edge, share in _SHARE.findall(text):
            yield edge, fixed(share)
    elif form == "parts":
        for part, count in zip(PARTS, text.split(","), strict=True):
            yield f"{part} {name}", exact(count)
    elif form:
        yield name, _FORMS[form](text)
