"""Finds the documents that --status-interval printed before the last one of their run."""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ingest.parsers.fio.schema import DIRECTIONS, LATENCIES, Run

Names = tuple[tuple[str, int | None], ...]
_MOST_AT_ONCE = 64  # processes that print into one file in turn


def find_snapshots(runs: Sequence[Run]) -> list[bool]:
    """Whether a later document is a print of the same running process, in the runs' order."""
    if len(runs) == 1:
        return [False]
    later: defaultdict[Names, deque[_Print]] = defaultdict(lambda: deque(maxlen=_MOST_AT_ONCE))
    found: list[bool] = []
    for one in map(_Print, reversed(runs)):
        same_jobs = later[one.names]
        found.append(any(one.is_of_same_run(other) for other in same_jobs))
        same_jobs.appendleft(one)
    return found[::-1]


@dataclass(frozen=True)
class _Print:
    """The parts of a document that distinguish its run from other runs with the same jobs."""

    run: Run

    @cached_property
    def names(self) -> Names:
        return tuple((job.jobname, job.groupid) for job in self.run.all_jobs)

    def is_of_same_run(self, later: "_Print") -> bool:
        """Whether two documents are prints of one running process, and not two runs.

        Both then started at the same second, give or take the rounding of fio's clock; no counter
        fell, unless the first still ramped up; and the runtime advanced as the clock did, which it
        does not from one run to the next.
        """
        starts = self._started_at_seconds, later._started_at_seconds
        if starts[0] is not None and starts[1] is not None:
            if abs(starts[0] - starts[1]) > 1:
                return False
            if later._is_timed and not self._is_timed:
                return True
        before, after = self._progress, later._progress
        if any(value < before.get(key, 0) for key, value in after.items()):
            return False
        advanced = max(
            (after[key] - before.get(key, 0) for key in after if key[0] == "runtime_ms"), default=0
        )
        if self.run.timestamp_ms is None or later.run.timestamp_ms is None:
            return advanced > 0
        passed = later.run.timestamp_ms - self.run.timestamp_ms
        is_idle = not any(before.values())  # while it ramps up
        return is_idle or passed - advanced <= 150 + passed / 4

    @cached_property
    def _started_at_seconds(self) -> int | None:
        elapsed = [job.elapsed for job in self.run.all_jobs if job.elapsed is not None]
        printed_at = self.run.timestamp
        return printed_at - max(elapsed) if elapsed and printed_at is not None else None

    @cached_property
    def _is_timed(self) -> bool:
        """Whether it has a latency: while it ramps up fio counts I/Os, but does not time them."""
        return any(
            latency.latency_mean
            for job in self.run.all_jobs
            for direction in DIRECTIONS
            if (result := getattr(job, direction)) is not None
            for name in LATENCIES
            if (latency := getattr(result, name)) is not None
        )

    @cached_property
    def _progress(self) -> dict[tuple[str, int, str], int]:
        """Runtime in ms and I/Os of each job and direction."""
        return {
            (counter, index, direction): getattr(result, counter) or 0
            for index, job in enumerate(self.run.all_jobs)
            for direction in DIRECTIONS
            if (result := getattr(job, direction)) is not None
            for counter in ("runtime_ms", "total_ios")
        }
