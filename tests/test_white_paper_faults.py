"""Mistakes that a digitiser can make, and their error messages."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.common.errors import InputError
from ingest.parsers import white_paper
from tests.reading import read_rows


def _replace(sheet: str, old: str, new: str) -> Callable[[Path], None]:
    def damage(paper: Path) -> None:
        text = (paper / sheet).read_text()
        assert old in text
        (paper / sheet).write_text(text.replace(old, new, 1))

    return damage


def _repeat_line(sheet: str, line: int) -> Callable[[Path], None]:
    def damage(paper: Path) -> None:
        lines = (paper / sheet).read_text().splitlines(keepends=True)
        (paper / sheet).write_text("".join([*lines, lines[line - 1]]))

    return damage


FAULTS = {
    "unreadable value": (
        _replace("measurements.csv", "about 240000 IO/s", "plenty"),
        "measurements.csv:2: cannot read a value in 'plenty'",
    ),
    "unknown unit": (
        _replace("measurements.csv", "etwa 240000 IO/s", "etwa 240000 flops"),
        "measurements.csv:3: unknown unit 'flops'",
    ),
    "unit of another quantity": (
        _replace("limits.csv", "8240 MB/s", "8240 MHz"),
        "limits.csv:3: unknown unit 'MHz'",
    ),
    "page outside the document": (
        _replace("measurements.csv", "en,5,", "en,10,"),
        "measurements.csv:4: page 10 is outside the document's 1 to 9",
    ),
    "page missing": (
        _replace("measurements.csv", "en,5,", "en,,"),
        "measurements.csv:4: page is empty, though document.yml counts 9 pages",
    ),
    "page of an edition without pages": (
        _replace("measurements.csv", "de,,", "de,4,"),
        "measurements.csv:3: page 4 cannot be checked",
    ),
    "duplicate key": (
        _repeat_line("measurements.csv", 2),
        "measurements.csv:5: has the key of line 2: en | 4 |",
    ),
    "unknown edition": (
        _replace("claims.csv", "en,7,conclusion,a-like-b", "fr,7,conclusion,a-like-b"),
        "claims.csv:3: edition 'fr' is not in document.yml",
    ),
    "unknown RAID level": (
        _replace("measurements.csv", "RAID 10", "RAID 7"),
        "measurements.csv:2: raid_level 'RAID 7' is unknown; known are RAID 0",
    ),
    "unknown metric": (
        _replace("measurements.csv", ",iops,about", ",speed,about"),
        "measurements.csv:2: metric 'speed' is unknown",
    ),
    "unknown attribute": (
        _replace("facts.csv", ",cache,", ",cash,"),
        "facts.csv:2: attribute 'cash' is unknown",
    ),
    "profile that is not described": (
        _replace("measurements.csv", ",Mix,", ",Mixed,"),
        "measurements.csv:4: profile 'Mixed' is not described in the paper's sheets; "
        "known are Database, Mix",
    ),
    "controller that is not described": (
        _replace("measurements.csv", "A; B", "A; C"),
        "measurements.csv:2: controller 'C' is not described",
    ),
    "share above 100 %": (
        _replace("profiles.csv", "60%", "160%"),
        "profiles.csv:4: share '160%' is not an exact percentage from 0% to 100%",
    ),
    "share with a qualifier": (
        _replace("profiles.csv", "60%", "over 60%"),
        "profiles.csv:4: share 'over 60%' is not an exact percentage",
    ),
    "size with a qualifier": (
        _replace("profiles.csv", ",64K,", ",up to 64K,"),
        "block: 'up to 64K' is not one exact size such as 64 kB",
    ),
    "shares that are not the whole": (
        _replace("profiles.csv", "60%", "10%"),
        "profiles.csv:4: profile 'Mix' has shares of 50% together; they must be 100%",
    ),
    "share of 50 % of a single block": (
        _replace("profiles.csv", "8 kB,100%", "8 kB,50%"),
        "profiles.csv:2: profile 'Database' has shares of 50% together",
    ),
    "claim told twice": (
        _replace("claims.csv", "a-like-b", "a-over-b"),
        "claims.csv:3: has the key of line 2: en | a-over-b",
    ),
    "load that is none": (
        _replace("claims.csv", ",highest,", ",heavy,"),
        "claims.csv:2: load 'heavy' is not lowest, highest, all, maximum of 1 to 512, a number",
    ),
    "curve with one end": (
        _replace("claims.csv", ",1,512,", ",1,,"),
        "claims.csv:4: from '1' with to '' is not a curve; write two different numbers",
    ),
    "unknown evidence": (
        _replace("claims.csv", ",opinion,", ",rumour,"),
        "claims.csv:3: evidence 'rumour' is unknown; known are picture, opinion, general",
    ),
    "profile that contradicts itself": (
        _replace("profiles.csv", "Mix,,80%,80%,64K", "Mix,,80%,70%,64K"),
        "profiles.csv:4: profile 'Mix' differs from line 3 in read_percent",
    ),
    "limit that is a range": (
        _replace("limits.csv", "8240 MB/s", "8000-8240 MB/s"),
        "limits.csv:3: as_printed '8000-8240 MB/s' is a range",
    ),
    "unit base": (
        _replace("measurements.csv", ",converted,,10,", ",converted,,3,"),
        "measurements.csv:4: unit_base '3' is neither 2, 10 nor empty",
    ),
    "count that is no whole number": (
        _replace("measurements.csv", ",Disk 1.2TB,4,", ",Disk 1.2TB,some,"),
        "measurements.csv:2: drive_count 'some' is not a whole number from 1 to 1000000",
    ),
    "count that is null": (
        _replace("measurements.csv", ",Disk 1.2TB,4,", ",Disk 1.2TB,NULL,"),
        "measurements.csv:2: drive_count is 'NULL'; leave the cell empty if not reported",
    ),
    "size that is a range": (
        _replace("measurements.csv", "256 kB", "64-256 kB"),
        "measurements.csv:2: stripe: '64-256 kB' is not one exact size such as 64 kB",
    ),
    "page that is none": (
        _replace("limits.csv", "en,6,", "en,six,"),
        "limits.csv:2: page 'six' is neither a page (7) nor a span (7-10)",
    ),
    "flag that is none": (
        _replace("limits.csv", ",true,", ",maybe,"),
        "limits.csv:3: is_binding 'maybe' is neither true, false nor empty",
    ),
    "empty cell that every row needs": (
        _replace("limits.csv", "limits: SAS 12G", ""),
        "limits.csv:2: locator is empty; every row needs one",
    ),
    "empty word that every row needs": (
        _replace("limits.csv", ",disk,", ",,"),
        "limits.csv:2: side '' is unknown; known are disk, host",
    ),
    "empty value": (
        _replace("limits.csv", "12000 MHz", ""),
        "limits.csv:2: as_printed is empty; write the value as printed",
    ),
    "limit that is a lower bound": (
        _replace("measurements.csv", "about 240000 IO/s,,,", "more than 240000 IO/s,,controller,"),
        "measurements.csv:2: limit_of: 'more than 240000 IO/s' is a lower bound, not a maximum",
    ),
    "digitised figure without its export": (
        lambda paper: (paper / "figures/p8-curve.csv").unlink(),
        "figures.csv:2: says that 'p8-curve' is digitised",
    ),
    "header": (
        _replace("profiles.csv", "alignment", "align"),
        "profiles.csv:1: header lacks alignment and has unknown align; expected: edition,page,",
    ),
    "unquoted comma": (
        _replace("facts.csv", "overview: A; B", "overview: A, B"),
        "facts.csv:2: 12 cells under a header of 11; is a comma unquoted?",
    ),
    "forecast without its date": (
        _replace("forecasts.csv", "0.1.0,2020-02-01", "0.1.0,"),
        "forecasts.csv:2: a forecast has a forecast_date and either evidence or a missing_reason",
    ),
    "forecast of another day": (
        _replace("forecasts.csv", "2020-02-01", "1 February"),
        "forecasts.csv:2: forecast_date '1 February' is not a day, such as 2026-11-25",
    ),
    "forecast that is no number": (
        _replace("forecasts.csv", "250000.5", "nan"),
        "forecasts.csv:2: predicted_iops 'nan' is not a number above 0",
    ),
    "forecast of an unknown drive": (
        _replace("forecasts.csv", "B,10,Disk 1.2TB", "B,10,Disk"),
        "forecasts.csv:3: drive 'Disk' is not described in the paper's sheets",
    ),
    "document.yml": (
        _replace("document.yml", "publisher: Nobody", "publisher: [1]"),
        "document.yml: not a valid document.yml: Expected `str`",
    ),
    "digitised point off the axis": (
        _replace("figures/p8-curve.csv", "1775.1", "17751"),
        "p8-curve.csv:5: y 17751 of 'A' is off the axis 0 to 2000",
    ),
    "digitised point that is no number": (
        _replace("figures/p8-curve.csv", "489.7", "~490"),
        "p8-curve.csv:3: '~490' is not a number",
    ),
    "digitised figure without the names of its datasets": (
        _replace("figures/p8-curve.csv", "A,,B,", "A"),
        "p8-curve.csv:1: names fewer datasets than line 2 has pairs X,Y",
    ),
    "digitised figure without axes": (
        _replace("figures.csv", "outstanding_io_count,throughput,", ",,"),
        "p8-curve.csv: figures.csv lacks for this figure: x_column, y_metric",
    ),
}


@pytest.mark.parametrize(("damage", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_fault_is_reported(paper: Path, damage: Callable[[Path], None], reason: str) -> None:
    damage(paper)
    with pytest.raises((InputError, ExceptionGroup)) as raised:
        read_rows(white_paper, paper / "document.yml")
    error = raised.value
    errors = error.exceptions if isinstance(error, ExceptionGroup) else (error,)
    assert any(reason in str(e) for e in errors), [str(e) for e in errors]


def test_all_bad_rows_are_reported_at_once(paper: Path) -> None:
    _replace("measurements.csv", "about 240000 IO/s", "plenty")(paper)
    _replace("measurements.csv", "en,5,", "en,10,")(paper)
    _replace("claims.csv", "about 4.6 times", "a lot")(paper)
    with pytest.raises(ExceptionGroup) as raised:
        read_rows(white_paper, paper / "document.yml")
    lines = [(Path(e.path).name, e.line) for e in raised.value.exceptions]  # type: ignore[attr-defined]
    assert lines == [("measurements.csv", 2), ("measurements.csv", 4), ("claims.csv", 2)]


def test_a_newline_within_a_cell_is_kept(paper: Path) -> None:
    _replace("facts.csv", "overview: A,", '"overview:\nA",')(paper)
    rows = read_rows(white_paper, paper / "document.yml")["white_paper_facts"]
    assert [(row["line"], row["locator"]) for row in rows][1] == (4, "overview:\nA")


@pytest.mark.parametrize("spelling", ["10", "raid10", "RAID-10", "1+0"])
def test_raid_level_spellings_are_normalised(paper: Path, spelling: str) -> None:
    _replace("measurements.csv", ",RAID 10,RAID 1,", f",{spelling},RAID 1,")(paper)
    rows = read_rows(white_paper, paper / "document.yml")["white_paper_measurements"]
    assert rows[0]["raid_level"] == "RAID 10"
