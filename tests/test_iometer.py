"""Iometer files: faults, torn ends, files saved again by a spreadsheet, and invariants."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.common.errors import InputError
from ingest.parsers import iometer
from ingest.parsers.iometer import rows
from ingest.parsers.iometer.cells import read_at_once
from ingest.parsers.iometer.columns import BIN_HEADERS, COLUMN_NAMES, LAYOUTS, Layout
from ingest.parsers.iometer.text import parse_stamp, unquote
from tests.conftest import ROOT
from tests.fuzz import fuzz
from tests.reading import Rows, read_rows

GOLDEN = sorted((ROOT / "tests/golden/iometer").glob("*.csv"))
PLAIN = ROOT / "tests/golden/iometer/2006-mix-two-blocks.csv"
BINS = ROOT / "tests/golden/iometer/1.1.0-bins-aborted.csv"
SEMICOLONS = ROOT / "tests/golden/iometer/saved-again-semicolons.csv"


def _read(content: str | bytes) -> Rows:
    return read_rows(iometer, Path("a.csv"), content)


def _fault(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        _read(data)
    assert caught.value.path == "a.csv"
    assert "use the file as Iometer wrote it" in caught.value.reason
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (b",Read IOps,", b",Read IOPS,", 15, "column 8 is 'Read IOPS', where Iometer has 'Read"),
        (b",Packet Errors,", b",", 15, "column 55 is 'Segments Retransmitted/Second', where Io"),
        (b",100.000000,", b",1_00.000000,", 16, "IOps is '1_00.000000', not an Iometer value"),
        (b",100.000000,", b",,100.000000,", 16, "the number of cells is '57'"),
        (b"4096,60,80,", b"4096,sixty,80,", 11, "% of size is 'sixty', not a whole number"),
        (b"4096,60,80,", b"4096,60,800,", 11, "% reads is 800, which an access specification"),
        (b"ALL,All,", b"x,ALL,", 16, "a row of 'x' does not belong to the H1 header"),
        (b"4096,60,80,", b"4096,60,", 11, "an access specification has 7 cells, not 8"),
        (b"'Results\r\n'Target", b"'Result", 15, "IOps"),
        (b"6,Array", b"six,Array", 2, "the test type is 'six'"),
    ],
)
def test_error_names_line_value_and_remedy(old: bytes, new: bytes, line: int, reason: str) -> None:
    data = PLAIN.read_bytes()
    assert old in data
    if reason == "IOps":
        data, reason, line = data.replace(b"'Target Type", b"'Tag"), "is outside of the results", 16
    error = _fault(data.replace(old, new, 1))
    assert reason in error.reason
    assert error.line == line


def test_short_row_is_refused() -> None:
    lines = PLAIN.read_bytes().split(b"\r\n")
    lines[16] = lines[16][:200]
    assert "the number of cells is" in _fault(b"\r\n".join(lines)).reason


@pytest.mark.parametrize("path", [PLAIN, BINS], ids=lambda path: path.name)
def test_a_torn_file_keeps_its_whole_rows(path: Path) -> None:
    """Wherever the file ends: whole rows stay, a torn row is a note, its block is incomplete."""
    data, whole = path.read_bytes(), read_rows(iometer, path)
    rows_by_line = {row["line"]: row for row in whole["iometer_results"]}
    for length in range(data.index(b"ALL,"), len(data), 13):
        torn = _read(data[:length])
        for row in torn["iometer_results"]:
            assert row == rows_by_line[row["line"]]
        ended = data[:length].count(b"\n")
        assert len(torn["iometer_results"]) == sum(line <= ended for line in rows_by_line)
        has_torn = any(note["kind"] == "torn" for note in torn["iometer_notes"])
        is_in_row = ended + 1 in rows_by_line and len(data[:length].rpartition(b"\n")[2]) > 9
        assert has_torn or not is_in_row
        assert not (is_in_row and torn["iometer_blocks"][-1]["is_complete"])


def test_old_files_may_end_with_a_row() -> None:
    """Files of 2001 have no closing time stamp: the last number shows if the row is whole."""
    data = (ROOT / "tests/golden/iometer/2001-no-end-stamps.csv").read_bytes().rstrip()
    for cut, count in ((0, 2), (1, 1), (8, 1)):
        rows = _read(data[: len(data) - cut])
        assert len(rows["iometer_results"]) == count
        assert rows["iometer_blocks"][-1]["is_complete"] == (count == 2)


def test_a_session_appended_to_a_torn_row_is_read() -> None:
    data = PLAIN.read_bytes()
    rows = _read(data[:6000] + data)
    assert len(rows["iometer_sessions"]) == 2
    assert [one["is_complete"] for one in rows["iometer_blocks"]] == [True, False, True, True]
    line = data[:6000].count(b"\n") + 1
    assert rows["iometer_blocks"][1]["incomplete_reason"] == f"the file is truncated in line {line}"
    assert [one["kind"] for one in rows["iometer_notes"]] == ["torn"]
    whole = read_rows(iometer, PLAIN)["iometer_results"]
    for row, other in zip(rows["iometer_results"][-len(whole) :], whole, strict=True):
        assert {k: v for k, v in row.items() if k not in _PLACES} == {
            k: v for k, v in other.items() if k not in _PLACES
        }


_PLACES = ("line", "block_index", "access_spec_index")


def test_newer_file_without_end_is_marked_truncated() -> None:
    data = BINS.read_bytes()
    cut = data[: data.index(b"'End Test")]
    session = _read(cut)["iometer_sessions"][0]
    assert (session["has_end_test"], session["is_truncated"]) == (False, True)
    assert not read_rows(iometer, PLAIN)["iometer_sessions"][0]["is_truncated"]


def test_abort_during_ramp_up_keeps_blocks_complete() -> None:
    data = BINS.read_bytes()
    start = data.rindex(b"'Results")
    rows = _read(data[:start] + b"Aborted test\r\n")
    assert [one["is_complete"] for one in rows["iometer_blocks"]] == [True, True]
    assert rows["iometer_notes"][-1]["kind"] == "aborted"


def test_a_block_without_its_total_is_incomplete() -> None:
    lines = [line for line in PLAIN.read_bytes().split(b"\r\n") if not line.startswith(b"ALL,")]
    blocks = _read(b"\r\n".join(lines))["iometer_blocks"]
    assert {one["incomplete_reason"] for one in blocks} == {"has no ALL row, the sum of the others"}


def test_disk_rows_have_no_times_or_bins() -> None:
    rows = read_rows(iometer, BINS)
    disks = [row for row in rows["iometer_results"] if row["row_type"] == "DISK"]
    assert disks
    for disk in disks:
        assert not any(value for column, value in disk.items() if column.endswith("_ticks"))
        assert disk["access_spec_name"] == "4 KiB; 90% Read"
    binned = {row["line"] for row in rows["iometer_latency_bins"]}
    assert not binned & {disk["line"] for disk in disks}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"apostrophes", b""),
        (b"bom", b"\xef\xbb\xbf"),
        (b"lines", b'"'),
        (b"marked lines", b'"'),
        (b"filled up", b","),
        (b"line ends", b"\n"),
    ],
)
def test_file_saved_by_spreadsheet_reads_the_same(old: bytes, new: bytes) -> None:
    data = PLAIN.read_bytes().decode("cp1252").encode()
    lines = data.split(b"\r\n")[:-1]
    match old:
        case b"apostrophes":
            lines = [line.lstrip(b"'") for line in lines]
        case b"bom":
            lines[0] = new + lines[0]
        case b"lines":
            lines = [new + line.replace(new, new * 2) + new for line in lines]
        case b"marked lines":
            lines = [new + line + new if line.startswith(b"'") else line for line in lines]
        case b"filled up":
            lines = [line + new * (55 - line.count(new)) for line in lines]
    end = new if old == b"line ends" else b"\r\n"
    found, wanted = _read(end.join(lines) + end), read_rows(iometer, PLAIN)
    for session in (*found["iometer_sessions"], *wanted["iometer_sessions"]):
        del session["encoding"]
    assert found == wanted


def test_decimal_commas_read_as_the_same_numbers() -> None:
    found, wanted = (read_rows(iometer, path)["iometer_results"] for path in (SEMICOLONS, PLAIN))
    for row, other in zip(found, wanted[:6], strict=True):
        assert [row[name] for name in COLUMN_NAMES] == [other[name] for name in COLUMN_NAMES]


def test_decimal_points_with_semicolons_are_refused() -> None:
    """Excel in Germany reads 9.347 as nine thousand: the original number is lost."""
    data = SEMICOLONS.read_bytes()
    error = _fault(data.replace(b"100,000000", b"100.000000", 1))
    assert "'100.000000' has a decimal point although cells are separated by ';'" in error.reason
    assert error.line == 16
    whole = b"\n".join(
        line.replace(b",", b"") if line[:3] in (b"ALL", b"MAN", b"PRO", b"WOR", b"DIS") else line
        for line in data.split(b"\n")
    )
    assert "no number has a decimal comma" in _fault(whole).reason


def test_count_rounded_by_spreadsheet_is_null() -> None:
    data = PLAIN.read_bytes().replace(b",24000000000,", b",2.4E+10,", 1)
    row = _read(data)["iometer_results"][1]
    assert row["run_time_ticks"] is None
    assert row["ambiguous"] == "run_time_ticks=2.4E+10"


@pytest.mark.parametrize("mark", ["18446744073709551615", "9223372036854775808", "9" * 30])
@pytest.mark.parametrize(
    ("at", "column"),
    [
        (25, "read_error_count"),
        (32, "transactions_per_connection_count"),
        (33, "read_response_time_total_ticks"),
        (43, "maximum_size_sectors"),
        (44, "queue_depth"),
    ],
)
def test_value_beyond_bigint_is_null_and_reported(at: int, column: str, mark: str) -> None:
    lines = PLAIN.read_bytes().split(b"\r\n")
    cells = lines[16].split(b",")
    cells[at] = mark.encode()
    lines[16] = b",".join(cells)
    row = _read(b"\r\n".join(lines))["iometer_results"][1]
    assert (row[column], row["ambiguous"]) == (None, f"{column}={mark}")


@pytest.mark.parametrize(
    ("printed", "iso"),
    [
        ("2016-03-05 10:22:31:047", "2016-03-05T10:22:31.047000"),
        ("Tue Nov  6 14:03:11 2001", "2001-11-06T14:03:11"),
        ("2026/03/05 10:22:31", "2026-03-05T10:22:31"),
        ("05.03.2016 10:22", None),
        ("2016-13-05 10:22:31:047", None),
        ("", None),
    ],
)
def test_times_are_read_as_printed(printed: str, iso: str | None) -> None:
    at = parse_stamp(printed)
    assert (at.isoformat() if at else None) == iso


def test_unnamed_total_gets_the_only_access_specification() -> None:
    data = BINS.read_bytes()
    named = {row["access_spec_index"] for row in read_rows(iometer, BINS)["iometer_results"]}
    lines = data.split(b"\r\n")
    for at, line in enumerate(lines):
        if line.startswith((b"ALL,", b"MANAGER,")):
            kind, name, _, rest = line.split(b",", 3)
            lines[at] = b",".join([kind, name, b"", rest])
    rows = _read(b"\r\n".join(lines))["iometer_results"]
    totals = [row for row in rows if row["row_type"] in ("ALL", "MANAGER")]
    assert totals
    assert {row["access_spec_name"] for row in totals} == {None}
    assert {row["access_spec_index"] for row in totals} <= named - {None}


def test_stray_time_stamp_is_a_note() -> None:
    data = PLAIN.read_bytes()
    rows = _read(data + b"'Time Stamp\r\n2016-03-05 10:22:31:047\r\n")
    line = data.count(b"\n") + 1
    note = {"line": line, "kind": "other", "text": "Time Stamp 2016-03-05 10:22:31:047"}
    assert rows["iometer_notes"][-1] == note
    assert rows["iometer_blocks"] == read_rows(iometer, PLAIN)["iometer_blocks"]


def test_a_file_without_a_session_is_refused() -> None:
    assert "contains no Iometer session" in _fault(b"some text\n").reason


def test_bytes_outside_any_code_page_are_kept() -> None:
    """0x81 is invalid in UTF-8 and undefined in the Windows code page."""
    data = PLAIN.read_bytes()
    assert b"Array" in data
    session, *_ = _read(data.replace(b"Array", b"Arr\x81y", 1))["iometer_sessions"]
    assert (session["encoding"], session["test_description"][:5]) == ("latin-1", "Arr\x81y")


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ('"a, b"', "a, b"),
        ('"3.5"" disk"', '3.5" disk'),
        ('"plain"', '"plain"'),
        ('"a, b', '"a, b'),
        ('a, b"', 'a, b"'),
        ('"a, "b"', '"a, "b"'),
        ("", ""),
    ],
)
def test_only_spreadsheet_quotes_are_removed_from_names(printed: str, name: str) -> None:
    assert unquote(printed) == name


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_reading_at_once_and_cell_by_cell_agree(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once: list[bool] = []

    def look(cells: list[str], layout: Layout) -> Any:
        found = read_at_once(cells, layout)
        at_once.append(found is not None)
        return found

    monkeypatch.setattr(rows, "read_at_once", look)
    found = read_rows(iometer, path)
    assert sum(at_once) > len(at_once) / 2
    monkeypatch.setattr(rows, "read_at_once", lambda *_: None)
    assert read_rows(iometer, path) == found


def test_access_specification_without_lines_is_kept() -> None:
    lines = PLAIN.read_bytes().split(b"\r\n")
    kept = [line for line in lines if not line.startswith((b"4096,", b"65536,"))]
    assert len(kept) < len(lines)
    found = _read(b"\r\n".join(kept))["iometer_access_specs"]
    whole = read_rows(iometer, PLAIN)["iometer_access_specs"]
    names = {row["access_spec_name"] for row in whole}
    assert {row["access_spec_name"] for row in found} == names
    empty = [row for row in found if row["size_bytes"] is None]
    assert {row["mix_index"] for row in empty} == {0}


@pytest.mark.parametrize(
    ("counts", "is_read"), [(b"1,1,1", True), (b"x,1,1", False), (b",,", True)]
)
def test_counts_separate_commas_in_names_from_cells(counts: bytes, is_read: bool) -> None:
    lines = PLAIN.read_bytes().split(b"\r\n")
    at = next(at for at, line in enumerate(lines) if line.startswith(b"DISK,"))
    cells = lines[at].split(b",")
    lines[at] = b",".join([b"DISK", b"a", b" b", b"", counts, *cells[6:]])
    data = b"\r\n".join(lines)
    if is_read:
        names = {row["target_name"] for row in _read(data)["iometer_results"]}
        assert "a, b" in names
    else:
        assert "the number of cells is '57'" in _fault(data).reason


def test_headers_match_iometers_sources() -> None:
    assert [len(layout.headers) for layout in LAYOUTS] == [56, 59, 80, 81]
    positions = {"IOps": 7, "Average Response Time": 18, "Errors": 28, "Queue Depth": 48}
    for header, position in positions.items():
        assert LAYOUTS[2].headers.index(header) + 1 == position
    assert LAYOUTS[2].headers[59:] == BIN_HEADERS


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_totals_and_bins_add_up(path: Path) -> None:
    """ALL is the sum of its workers, and bins have no more I/Os than their row."""
    rows = read_rows(iometer, path)
    counted: dict[int, int] = {}
    for one in rows["iometer_latency_bins"]:
        counted[one["line"]] = counted.get(one["line"], 0) + one["io_count"]
    for row in [*rows["iometer_results"], *rows["iometer_updates"]]:
        if row["line"] in counted:
            assert counted[row["line"]] <= row["read_io_count"] + row["write_io_count"]
    for total in [row for row in rows["iometer_results"] if row["row_type"] == "ALL"]:
        workers = [
            row["iops"]
            for row in rows["iometer_results"]
            if row["row_type"] == "WORKER" and row["block_index"] == total["block_index"]
        ]
        assert not workers or sum(workers) == pytest.approx(total["iops"], rel=1e-6)


_NAMES = st.text(st.characters(blacklist_characters=',"\r\n\0', codec="utf-8"), min_size=1).filter(
    lambda name: name == name.strip()
)


@given(name=_NAMES, iops=st.integers(0, 10**12), errors=st.integers(0, 2**63 - 1))
def test_written_values_are_read_back(name: str, iops: int, errors: int) -> None:
    cells = ["ALL", name, "", "1", "1", "1", f"{iops / 1e6:.6f}", *[""] * 17, str(errors)]
    header = "'" + ",".join(LAYOUTS[0].headers)
    text = "\n".join([header, ",".join(cells + [""] * (56 - len(cells))), ""])
    row = _read(text)["iometer_results"][0]
    assert (row["target_name"], row["iops"], row["error_count"]) == (name, iops / 1e6, errors)


def test_damaged_files_give_rows_or_are_refused() -> None:
    """One second of `python -m tests.fuzz iometer`."""
    report = fuzz(iometer, GOLDEN, seconds=1, seed=1)
    assert report.executions > 20
    assert report.crashes == []
