"""The text of `--resfile`, and the console's: a table per command, a block of lines per phase.

`ISO DATE` and `COMMAND LINE` stand above the tables of `--resfile` only; the date is the start of
the command. Versions name their lines differently (Statistics.cpp, `printPhaseResultsToStream`).
"""

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from ingest.parsers.elbencho import options, results
from ingest.parsers.generic import Result

HEADER = re.compile(r"^OPERATION +RESULT TYPE +FIRST DONE +LAST DONE[ \r]*$", re.MULTILINE)
_WITH_COMMAND, _CONSOLE = 2, 3
_COLUMNS = {
    "Elapsed ms": "time ms", "Elapsed time": "time ms", "time ms": "time ms",
    "IOPS": "iops", "IOPS write": "iops", "IOPS read": "rwmix read iops",
    "Throughput MiB/s": "mib/s", "MiB/s write": "mib/s", "MiB/s": "mib/s",
    "MiB/s read": "rwmix read mib/s", "Read MiB/s": "rwmix read mib/s",
    "Throughput MB/s": "mb/s", "MB/s write": "mb/s", "MB/s read": "rwmix read mb/s",
    "Total MiB": "mib", "MiB write": "mib", "MiB": "mib",
    "MiB read": "rwmix read mib", "Read MiB": "rwmix read mib",
    "IOs total": "i/os", "IOs write": "i/os", "I/Os": "i/os", "IOs read": "rwmix read i/os",
    "CPU util %": "cpu%",
}  # fmt: skip
_ELAPSED = re.compile(
    r"(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})(?:[.,]([0-9]{3}))?s)?|([0-9]{1,15})(?:ms)?"
)
_LATENCY = re.compile(r"(?:IO lat|IO latency)( us)?|IO (wr|rd) lat(?:ency)?( us)?")
_EXTREME = re.compile(r"(min|avg|max)=([0-9]{1,18}(?:[.,][0-9]{1,2})?)(us|ms|s)?")
_PERCENTILES = re.compile(r"IO lat %(?:ile)?(?: us)?")
_PERCENTILE = re.compile(r"([0-9]{1,2}(?:[.,][0-9]{1,15})?)%<=([0-9]{1,18}(?:[.,][0-9])?)")
_UNIT_US = {"": 1, "us": 1, "ms": 1000, "s": 1_000_000}
_LONGEST_LINE = 100_000


class _Run(msgspec.Struct):
    """The lines above a table."""

    date: str = ""
    label: str = ""
    command: str = ""
    has_table: bool = False


class _Phase(msgspec.Struct):
    line: int
    run: _Run
    cells: dict[str, str]
    is_closed: bool
    """Whether '---' ends it, which 1.3 and later print."""
    has_reads_apart: bool = True
    """From 2.0.7 on, see results.py."""
    percentiles: list[tuple[float, float]] = []
    fault: str | None = None


def read(lines: list[str]) -> list[Result]:
    phases = list(_phases(lines))
    if phases and _split(lines[-1])[1]:  # its last number may be cut
        phases[-1].fault = f"{lines[-1][:80]!r} ends the file: a cut line"
    found = (_result(phase) for phase in phases if results.is_load(phase.cells["operation"]))
    return [result for result in found if result]


def _phases(lines: list[str]) -> Iterator[_Phase]:
    run, phase = _Run(), None
    for number, line in enumerate(lines, start=1):
        if HEADER.match(line):
            run, phase = _Run() if run.has_table else run, None
            run.has_table = True
        elif line.startswith("ISO DATE:"):
            run, phase = _Run(date=line.removeprefix("ISO DATE:").strip()), None
        elif line.startswith("LABEL:") and not run.has_table:
            run.label = line.removeprefix("LABEL:").strip()
        elif line.startswith("COMMAND LINE:") and not run.has_table:
            run.command = line.removeprefix("COMMAND LINE:").strip()
        elif run.has_table:
            operation, name, value = _split(line)
            if operation and _COLUMNS.get(name) == "time ms":
                phase = _Phase(number, run, {"operation": operation}, name == "time ms")
                yield phase
            if phase and name:
                _add(phase, name, value)
            elif phase and line.startswith("---"):
                phase.is_closed = True


def _split(line: str) -> tuple[str, str, str]:
    """'WRITE     Elapsed ms       :      84135     110109' by its operation, name and values."""
    head, colon, value = line[:_LONGEST_LINE].partition(":")
    operation = "" if head[:1].isspace() else head.split(" ", 1)[0]
    name = head.removeprefix(operation).strip()
    return operation, name if colon else "", value.strip()


def _add(phase: _Phase, name: str, value: str) -> None:
    """Add the numbers of a line; lines with other names are ignored."""
    if name == "Read MiB/s":
        phase.has_reads_apart = False
    if column := _COLUMNS.get(name):
        values = value.split()
        if len(values) != 2:
            phase.fault = f"{name} has {len(values)} values, not those of first and last done"
            return
        cells = map(_milliseconds, values) if column == "time ms" else values
        phase.cells |= zip((f"{column} [first]", f"{column} [last]"), cells, strict=True)
    elif latency := _LATENCY.fullmatch(name):
        mix = "rwmix read " if latency[2] == "rd" else ""
        for which, number, unit in _EXTREME.findall(value):
            us = round(_decimal(number) * _UNIT_US[unit])
            phase.cells[f"{mix}io lat us [{which}]"] = str(us)
    elif _PERCENTILES.fullmatch(name):
        phase.percentiles = [
            (float(_decimal(one) / 100), float(_decimal(us)))
            for one, us in _PERCENTILE.findall(value)
        ]


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _milliseconds(text: str) -> str:
    """'84135', '345ms', '1.001s', '2m3.241s' and '1h0m5s' (UnitTk.cpp, `elapsedMSToHumanStr`)."""
    match = _ELAPSED.fullmatch(text)
    if not text or not match:
        return text  # refused as a number
    hours, minutes, seconds, thousandths, ms = (int(one or 0) for one in match.groups())
    return str(ms + thousandths + 1000 * (seconds + 60 * (minutes + 60 * hours)))


def _result(phase: _Phase) -> Result | None:
    run, line = phase.run, phase.line
    operation = phase.cells["operation"][:80]
    given = options.read_command(run.command)
    cells = {"iso date": run.date, "label": run.label} | options.profile_cells(given) | phase.cells
    if phase.has_reads_apart:
        cells.setdefault(results.READ_LATENCY, "")
    try:
        if phase.fault:
            raise ValueError(phase.fault)
        precedence = _WITH_COMMAND if given else _CONSOLE
        result = results.read_result(cells, given, line, precedence, phase.percentiles)
        if result is None and not phase.is_closed:
            raise ValueError("ends before its throughput: a cut file")
        return result
    except ValueError as error:
        return results.damaged(line, operation, error)
