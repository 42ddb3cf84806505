"""The live CSV (`--livecsv`): rates of intervals, of one phase after another.

It has no load but the phase's name, and nothing that finds its run in the other files: no total
time, no total of bytes. So a phase is a result without rates of its own, which would count a second
time beside the CSV; its intervals are samples.
"""

from bisect import bisect
from collections.abc import Iterator

import msgspec

from ingest.parsers.elbencho import results
from ingest.parsers.elbencho.results import Cells, whole
from ingest.parsers.elbencho.table import cells_of
from ingest.parsers.generic import Result, Sample

_NEEDED = ("label", "phase", "runtimems", "rank", "mixtype", "mib/s", "iops")
_NO_RATES = "a series of intervals: the result itself is in --csvfile or --resfile of the run"


class _Phase(msgspec.Struct):
    line: int
    cells: Cells
    intervals: list[dict[str, Cells]]
    """By MixType."""
    damaged: list[str] = []


def read(lines: list[str]) -> tuple[list[Result], list[Sample]]:
    """A line that cannot be read is named by the phase around it, or else is a result."""
    damaged: list[tuple[int, str]] = []
    phases: list[_Phase] = []
    for number, cells, damage in _rows(lines):
        if damage:
            damaged.append((number, damage))
        elif phases and _continues(phases[-1], cells):
            _add(phases[-1], cells)
        else:
            phases.append(_Phase(number, cells, [{cells["mixtype"]: cells}]))
    phases = [phase for phase in phases if results.is_load(phase.cells["phase"])]
    if not phases:
        return [results.damaged(number, "live", damage) for number, damage in damaged], []
    starts = [phase.line for phase in phases]
    for number, damage in damaged:
        around = phases[max(bisect(starts, number) - 1, 0)]
        around.damaged.append(f"line {number} {damage}")
    samples = [sample for at, phase in enumerate(phases) for sample in _samples(at, phase)]
    return [_result(phase) for phase in phases], samples


def _rows(lines: list[str]) -> Iterator[tuple[int, Cells, str | None]]:
    """Of all workers together, each with what is wrong with it; --livecsvex adds each worker's."""
    header: list[str] = []
    for number, line in enumerate(lines, start=1):
        row = cells_of(line, lines[0])
        cells = dict(zip(header, row, strict=False))
        if "RuntimeMS" in row:
            header = [cell.lower() for cell in row]
        elif line.strip() and not cells.get("rank", "Total").isdecimal():
            yield number, cells, _damage(header, row, cells)


def _damage(header: list[str], row: list[str], cells: Cells) -> str | None:
    if missing := [name for name in _NEEDED if name not in header]:
        return f"has a header without {missing[0]!r}"
    if len(row) != len(header):
        return f"has {len(row)} cells, not {len(header)}: a cut line"
    if cells["rank"] != "Total":
        return f"has the rank {cells['rank'][:80]!r}"
    try:
        for name in ("runtimems", "mib/s", "iops"):
            if whole(cells, name) is None:
                return f"has no {name}"
        results.instant_ms(cells.get("iso date", ""))
    except (ValueError, OverflowError) as error:
        return str(error)
    return None


def _continues(phase: _Phase, cells: Cells) -> bool:
    """A phase ends where another name or label begins, or where its time starts again."""
    if any(phase.cells[name] != cells[name] for name in ("phase", "label")):
        return False
    last = phase.intervals[-1]
    before, now = _ms(next(iter(last.values()))), _ms(cells)
    return now > before or (now == before and cells["mixtype"] not in last)


def _add(phase: _Phase, cells: Cells) -> None:
    """Reads of a mix have a line of their own, at the same time as the writes."""
    if _ms(next(iter(phase.intervals[-1].values()))) == _ms(cells):
        phase.intervals[-1][cells["mixtype"]] = cells
    else:
        phase.intervals.append({cells["mixtype"]: cells})


def _ms(cells: Cells) -> int:
    return whole(cells, "runtimems") or 0


def _samples(result_index: int, phase: _Phase) -> Iterator[Sample]:
    before = 0
    is_read = phase.cells["phase"].startswith("READ")
    for interval in phase.intervals:
        elapsed = _ms(next(iter(interval.values())))
        read = interval.get("Read") or (interval.get("") if is_read else None)
        write = interval.get("Write") or (None if is_read else interval.get(""))
        sides = [side for side in (read, write) if side]
        if elapsed > before:
            yield Sample(
                result_index=result_index,
                elapsed_seconds=elapsed / 1000,
                interval_seconds=(elapsed - before) / 1000,
                iops=float(sum(whole(side, "iops") or 0 for side in sides)),
                read_bytes_per_second=_bytes(read),
                write_bytes_per_second=_bytes(write),
                bytes_per_second=sum(_bytes(side) or 0 for side in sides),
            )
        before = elapsed


def _bytes(side: Cells | None) -> float | None:
    return float((whole(side, "mib/s") or 0) * results.MEBIBYTE) if side else None


def _result(phase: _Phase) -> Result:
    cells = phase.cells
    label = f"label={cells['label'][:80]} " if cells["label"] else ""
    at_ms = results.instant_ms(cells.get("iso date", ""))
    return Result(
        position=f"line {phase.line} live {label}{cells['phase']}",
        tool_name="elbencho",
        measured_at_ms=None if at_ms is None else at_ms - _ms(cells),
        read_ratio=results.named_read_ratio(cells["phase"]),
        runtime_seconds=_ms(next(iter(phase.intervals[-1].values()))) / 1000,
        note="; ".join([_NO_RATES, *phase.damaged[:3]]),
    )
