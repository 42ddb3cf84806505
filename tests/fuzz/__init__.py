"""Damages files and feeds them to a parser, which may only give rows or raise InputError.

`make torture` runs it for every format of a tool; a seed repeats a run:
`python -m tests.fuzz iometer --seconds 60 --seed 1`. A file that breaks the rule is saved, and
becomes a test.
"""

import random
import re
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import polars as pl

from ingest.common.errors import InputError
from ingest.parsers import Parser

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_ODD_NUMBERS = (
    b"", b"-1", b"0", b"1e999", b"-0.0", b"nan", b"18446744073709551615", b"9223372036854775808",
    b"1,5", b"0x10", b"99999999999999999999999999999999999", b"\xd9\xa3",
)  # fmt: skip
_SLOW_CPU_SECONDS = 2.0  # a small file takes longer only if something is quadratic


@dataclass
class Report:
    executions: int = 0
    refused: int = 0
    seconds: float = 0.0
    crashes: list[Path] = field(default_factory=list)

    def __str__(self) -> str:
        rate = self.executions / self.seconds if self.seconds else 0
        return (
            f"{self.executions} executions, {rate:.0f}/s, "
            f"{self.refused} refused, {len(self.crashes)} crashes"
        )


def fuzz(
    parser: Parser, seeds: Sequence[Path], seconds: float, seed: int, crashes: Path | None = None
) -> Report:
    """Feed `parser` damaged copies of `seeds` until the time is over; crashing ones are saved."""
    source, report = random.Random(seed), Report()
    contents = [path.read_bytes() for path in seeds]
    folder = crashes or Path(tempfile.mkdtemp(prefix="fuzz-"))
    known: set[str] = set()
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        data = damage(source, contents)
        report.executions += 1
        fault = _fault(parser, seeds[0], data, report)
        if fault and fault not in known:
            known.add(fault)
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{parser.NAME}-{sha256(data).hexdigest()[:12]}"
            path.write_bytes(data)
            report.crashes.append(path)
            print(f"{path}: {fault}")
    report.seconds = time.monotonic() - start
    return report


def _fault(parser: Parser, path: Path, data: bytes, report: Report) -> str | None:
    """The parser's fault: an error other than InputError, rows of another shape, or slowness."""
    start = time.process_time()  # other processes may keep this one waiting
    try:
        parsed = parser.parse(path, data)
        for table, rows in parsed.items():
            pl.DataFrame(rows, schema=parser.TABLES[table], orient="row")
    except InputError:
        report.refused += 1
    except ExceptionGroup as group:
        if group.split(InputError)[1]:
            return _place(group)
        report.refused += 1
    except Exception as error:
        return _place(error)
    return "slow" if time.process_time() - start > _SLOW_CPU_SECONDS else None


def _place(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, line {last.lineno}: {str(error)[:200]}"


def damage(source: random.Random, contents: Sequence[bytes]) -> bytes:
    """One of the contents, damaged in one to four ways."""
    data = source.choice(contents)
    for _ in range(source.choice((1, 1, 2, 4))):
        data = source.choice(_DAMAGES)(source, data, contents)
    return data


def _flip(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(source.randint(1, 8)):
        if changed:
            changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def _truncate(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    cut = source.randint(0, len(data))
    return source.choice((data[:cut], data[cut:]))


def _splice(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    other = source.choice(contents)
    return data[: source.randint(0, len(data))] + other[source.randint(0, len(other)) :]


def _lines(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    at, other = source.randrange(len(lines)), source.randrange(len(lines))
    match source.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = lines[at][: source.randint(0, len(lines[at]))]
    return b"\n".join(lines)


def _number(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    one = source.choice(found)
    new = source.choice((*_ODD_NUMBERS, source.choice(found).group()))
    return data[: one.start()] + new + data[one.end() :]


def _byte_runs(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    at = source.randint(0, len(data))
    run = source.choice((b",", b";", b'"', b"'", b"\0" * 64, b"\xef\xbb\xbf", b"\r", b"{", b"\n\n"))
    return data[:at] + run * source.randint(1, 3) + data[at + source.randint(0, 3) :]


def _replace_all(source: random.Random, data: bytes, contents: Sequence[bytes]) -> bytes:
    swaps = ((b",", b";"), (b".", b","), (b"'", b""), (b"\r\n", b"\n"), (b'"', b""), (b",", b",,"))
    return data.replace(*source.choice(swaps))


_Damage = Callable[[random.Random, bytes, Sequence[bytes]], bytes]
_DAMAGES: tuple[_Damage, ...] = (
    _flip, _truncate, _splice, _lines, _lines, _number, _number, _byte_runs, _replace_all,
)  # fmt: skip
