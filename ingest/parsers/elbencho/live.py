"""The live CSV (`--livecsv`): rates of intervals, of one phase after another.

Of the load it has only the phase's name, and nothing that identifies its run in the other files: no
total time, no total of bytes. So a phase is a result without rates, which would count twice with
the CSV's; its intervals are samples.
"""

from bisect import bisect
from collections.abc import Iterator
from itertools import groupby

import msgspec

from ingest.parsers.elbencho import results
from ingest.parsers.elbencho.results import MEBIBYTE, whole
from ingest.parsers.elbencho.table import cells_of, rows
from ingest.parsers.generic import Result, Sample

_NEEDED = ("label", "phase", "runtimems", "rank", "mixtype", "mib/s", "iops")
_NO_RATES = "a series of intervals: the result itself is in --csvfile or --resfile of the run"


class _Row(msgspec.Struct):
    """The I/O of all workers in an interval; the reads of a mix have their own row."""

    line: int
    label: str
    phase: str
    mix: str
    elapsed_ms: int
    iops: int
    bytes_per_second: int
    measured_at_ms: int | None


_Phase = list[_Row]


def read(lines: list[str]) -> tuple[list[Result], list[Sample]]:
    """An unreadable line is noted in the phase around it; without a phase it is a result."""
    damaged: list[tuple[int, str]] = []
    phases: list[_Phase] = []
    for number, header, cells in rows(lines):
        # --livecsvex adds the rows of each worker.
        if dict(zip(header, cells, strict=False)).get("rank", "Total").isdecimal():
            continue
        try:
            row = _row(number, header, cells)
        except ValueError as error:
            damaged.append((number, str(error)))
            continue
        if not phases or not _continues(phases[-1], row):
            phases.append([])
        phases[-1].append(row)
    phases = [phase for phase in phases if results.is_load(phase[0].phase)]
    if not phases:
        return [results.damaged(number, "live", reason) for number, reason in damaged], []
    starts = [phase[0].line for phase in phases]
    notes = [[_NO_RATES] for _ in phases]
    for number, reason in damaged:
        notes[max(bisect(starts, number) - 1, 0)].append(f"line {number} {reason}")
    samples = [sample for at, phase in enumerate(phases) for sample in _samples(at, phase)]
    return list(map(_result, phases, notes)), samples


def _row(number: int, header: list[str], row: list[str]) -> _Row:
    """Raises ValueError."""
    cells = cells_of(header, row, _NEEDED)
    if cells["rank"] != "Total":
        raise ValueError(f"has the rank {cells['rank'][:80]!r}")
    elapsed_ms, iops, rate = (whole(cells, name) for name in ("runtimems", "iops", "mib/s"))
    if elapsed_ms is None or iops is None or rate is None:
        raise ValueError("has no time, IOPS or MiB/s")
    at_ms = results.instant_ms(cells.get("iso date", ""))
    names = (cells["label"], cells["phase"], cells["mixtype"])
    return _Row(number, *names, elapsed_ms, iops, rate * MEBIBYTE, at_ms)


def _continues(phase: _Phase, row: _Row) -> bool:
    """A phase ends where another name or label begins, or where its time starts again."""
    last = phase[-1]
    if (row.phase, row.label) != (last.phase, last.label) or row.elapsed_ms < last.elapsed_ms:
        return False
    earlier = phase[-3:]
    return (row.elapsed_ms, row.mix) not in [(one.elapsed_ms, one.mix) for one in earlier]


def _samples(result_index: int, phase: _Phase) -> Iterator[Sample]:
    before = 0
    is_read = phase[0].phase.startswith("READ")
    for elapsed, group in groupby(phase, key=lambda row: row.elapsed_ms):
        by_mix = {row.mix: row for row in group}
        read = by_mix.get("Read") or (by_mix.get("") if is_read else None)
        write = by_mix.get("Write") or (None if is_read else by_mix.get(""))
        sides = [side for side in (read, write) if side]
        if elapsed > before:
            yield Sample(
                result_index=result_index,
                elapsed_seconds=elapsed / 1000,
                interval_seconds=(elapsed - before) / 1000,
                iops=float(sum(side.iops for side in sides)),
                read_bytes_per_second=float(read.bytes_per_second) if read else None,
                write_bytes_per_second=float(write.bytes_per_second) if write else None,
                bytes_per_second=float(sum(side.bytes_per_second for side in sides)),
            )
        before = elapsed


def _result(phase: _Phase, notes: list[str]) -> Result:
    first, last = phase[0], phase[-1]
    at_ms = first.measured_at_ms
    return Result(
        position=" ".join(
            [f"line {first.line} live", *results.label_words(first.label), first.phase]
        ),
        tool_name="elbencho",
        measured_at_ms=None if at_ms is None else at_ms - first.elapsed_ms,
        read_ratio=results.named_read_ratio(first.phase),
        runtime_seconds=last.elapsed_ms / 1000,
        note="; ".join(notes[:4]),
    )
