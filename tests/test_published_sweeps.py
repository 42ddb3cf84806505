"""Published sweeps: fio-plot over RAID arrays (files: test_one_night.py), and NVMe drives."""

import math
from typing import Any

import pytest

from tests.conftest import Ask

DOCUMENT = "fio-plot-raid-sweeps"
NVME = "stonet-nvme-baseline-2024"
STEPS = (1, 2, 4, 8, 16, 32, 64)
# Array and profile, with its steps of iodepth and numjobs.
GRIDS = {
    ("P420i", "randread"): (STEPS, STEPS),
    ("P420i", "randwrite"): (STEPS, STEPS),
    ("M1015", "randread"): (STEPS, STEPS),
    ("M1015", "randwrite"): (STEPS, STEPS),
    ("HighPoint", "randread"): (STEPS[:6], STEPS[:6]),
    ("HighPoint", "randwrite"): (STEPS[:6], STEPS[:6]),
    ("HighPoint", "randrw"): ((1, 8, 32, 64), (1, 8, 16, 32, 64)),
}
VALUES = (
    "iops, bytes_per_second, latency_mean_us, latency_p50_us, latency_p95_us, latency_p99_us, "
    "latency_p999_us, latency_max_us"
)


@pytest.mark.parametrize(("array", "steps"), GRIDS.items(), ids=map(" ".join, GRIDS))
def test_the_published_sweeps_are_full_grids(
    ask: Ask,
    array: tuple[str, str],
    steps: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    controller, profile = array
    rows = ask(
        "select outstanding_io_count // worker_count, worker_count from marts.measurements "
        "where document_id = $1 and controller = $2 and profile_name = $3",
        DOCUMENT,
        controller,
        profile,
    )
    depths, workers = steps
    assert sorted(rows) == [(depth, count) for depth in depths for count in workers]


def test_the_nvme_sweeps_are_full_grids(ask: Ask) -> None:
    rows = ask(
        """
        select
            drive_count, condition, profile_name, worker_count,
            list(outstanding_io_count // worker_count order by outstanding_io_count)
        from marts.measurements where document_id = $1 group by all
        """,
        NVME,
    )
    to_256, to_1024 = [2**n for n in range(9)], [2**n for n in range(11)]
    blocks = ("512", "1k", "2k", "4k", "8k", "16k", "32k", "64k")
    assert sorted(rows) == sorted([
        *((1, "io_uring, one core", f"randread {block}", 1, to_256) for block in blocks),
        *((1, "io_uring", "randread 4k", workers, to_256) for workers in (1, 2, 4, 8)),
        *((1, "SPDK", "randread 4k", workers, to_256) for workers in (1, 2)),
        *((8, "io_uring", "randread 4k", count, to_256) for count in (1, 2, 4, 6, 8, 10, 16)),
        *((8, "SPDK", "randread 4k", workers, to_1024) for workers in (1, 4, 5, 6)),
    ])  # fmt: skip


def test_eight_nvme_drives_stay_below_eight_times_one(ask: Ask) -> None:
    rows = ask(
        "select max(iops), max(ceiling_iops), any_value(binding_ceiling) from marts.measurements "
        "where document_id = $1 and drive_count = 8",
        NVME,
    )
    assert rows == [(5230789.207026, 8 * 790253.845769, "drives")]


@pytest.mark.parametrize(
    ("locator", "values"),
    [
        (
            "results/fig-1-samsung-baseline/results_qd_iops_inc_proc_4kb_8_dev/fio_output/"
            "bs_4_proc_6_qd_128_spdk.txt @ 013f1e1",
            (4968540.512162, 20351168015, 154.206540575, 109.056, 366.592, 774.144, 1875.968,
             7449.695),
        ),
        (
            "results/fig-1-samsung-baseline/results_qd_iops_vary_bs/fio_output/"
            "bs_64k_qd_256.txt @ 013f1e1",
            (32350.548709, 2120264813, 7911.995400903, 8224.768, 8585.216, 8847.36, 9109.504,
             16286.797),
        ),
        (
            "benchmark_data/HPDL380G8/RAID/P420i_RAID0_4x_SSD/randread-16-8.json @ d0fbcd1",
            (205471.153526, 821884 * 1024, 621.079129941, 288.768, 1843.2, 1990.656, 2146.304,
             4710.732),
        ),
        (
            "benchmark_data/SERVER/HIGHPOINT/RAID5_RW/randrw-1-1.json @ c2932bc",
            (25.246234 + 26.442108, 103408 + 108306, None, None, None, None, None, None),
        ),
        (
            "benchmark_data/SERVER/IBM_M1015/8x2TBRAID5MDADM/randwrite-1-1.json @ c8c3479",
            (32.602361, 130 * 1024, 30662.176845761, 17694.72, 56885.248, 164626.432, 549453.824,
             584271.916),
        ),
    ],
)  # fmt: skip
def test_spot_values(ask: Ask, locator: str, values: tuple[float | None, ...]) -> None:
    rows = ask(f"select {VALUES} from marts.measurements where locator = $1", locator)
    assert len(rows) == 1
    assert differing(rows[0], values) == []


def test_a_mix_keeps_its_directions(ask: Ask) -> None:
    rows = ask(
        "select read_iops, write_iops, read_bytes_per_second, write_bytes_per_second, as_printed "
        "from marts.measurements where locator like '%/randrw-1-1.json @ %' "
        "and document_id = 'fio-plot-raid-sweeps'"
    )
    printed = "25.246234 IOPS; 26.442108 IOPS; 103408 B/s; 108306 B/s"
    assert rows == [(25.246234, 26.442108, 103408, 108306, printed)]


def test_published_percentiles_are_completion_latencies(ask: Ask) -> None:
    rows = ask("""
        select direction, latency_kind, percentile_ratio, latency_us
        from marts.fct_latency_percentiles
        inner join marts.measurements using (measurement_id)
        where locator like '%P420i%/randread-16-8.json @ %'
        order by percentile_ratio
        """)
    assert [row[:3] for row in rows] == [
        ("read", "clat", 0.5), ("read", "clat", 0.95), ("read", "clat", 0.99),
        ("read", "clat", 0.999),
    ]  # fmt: skip
    assert differing([row[3] for row in rows], [288.768, 1843.2, 1990.656, 2146.304]) == []


def test_littles_law_holds(ask: Ask) -> None:
    """I/Os in flight = rate x time in the system.

    Runs of a minute on hard disks with thousands of outstanding I/Os, 10 s each, fall short of it
    by the I/Os in flight when they end.
    """
    rows = ask(
        "select locator, outstanding_io_count, iops * latency_mean_us / 1e6 "
        "from marts.measurements where document_id = $1 and latency_mean_us is not null",
        DOCUMENT,
    )
    assert len(rows) == 268
    assert [
        (locator, outstanding, in_flight)
        for locator, outstanding, in_flight in rows
        if not math.isclose(in_flight, outstanding, rel_tol=0.05 if outstanding < 2048 else 0.11)
    ] == []


def test_every_point_notes_the_linux_md_array(ask: Ask) -> None:
    rows = ask(
        "select controller, raid_level_as_printed, condition, count(*) from marts.fct_measurements "
        "where document_id = $1 and concat_ws(' ', note, reading_note) like '%Linux%' "
        "group by all order by all",
        DOCUMENT,
    )
    assert rows == [
        ("HighPoint", None, "on a file on md6", 92),
        ("M1015", "RAID5MDADM", "on a file on md6", 98),
        ("P420i", None, "on /dev/md0", 98),
    ]


def differing(found: Any, expected: Any) -> list[tuple[float | None, float | None]]:
    return [
        (value, other)
        for value, other in zip(found, expected, strict=True)
        if (value is None) != (other is None)
        or (value is not None and not math.isclose(value, other, rel_tol=1e-9))
    ]
