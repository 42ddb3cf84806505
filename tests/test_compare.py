"""The board Compare, with choices that people make."""

import re
from typing import Any

import duckdb
import pytest

from benchmarks.board_queries import Selection, boards, panel_queries, selections, substitute
from dashboards.boards.compare import MATRIX
from tests.conftest import Ask

BOARD, FIND = (
    next(board for board in boards() if board["uid"] == uid)
    for uid in ("headroom-compare", "headroom-find")
)
PRINTED = "Printed values"
DATABASE = {"profile": ["random-read67-8KiB"], "raid_level": ["RAID 5"]}


def _rows(
    published: duckdb.DuckDBPyConnection,
    panel: str,
    board: dict[str, Any] = BOARD,
    **chosen: list[str],
) -> list[dict[str, Any]]:
    return _shown(published, panel, selections(board, published, chosen)[0], board)


def _shown(
    published: duckdb.DuckDBPyConnection,
    panel: str,
    choice: Selection,
    board: dict[str, Any] = BOARD,
) -> list[dict[str, Any]]:
    (sql,) = (query.sql for query in panel_queries(board) if query.panel == panel)
    result = published.execute(substitute(sql, choice))
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _told(published: duckdb.DuckDBPyConnection, **chosen: list[str]) -> str:
    """The sentences, which are the value of a hidden variable."""
    return selections(BOARD, published, chosen)[0]["verdict"][0]


def test_two_maxima_of_one_page_have_a_factor(published: duckdb.DuckDBPyConnection) -> None:
    """Fujitsu 2016, page 49: up to 133000 IO/s and up to 28700 IO/s."""
    first, basis, *_ = _told(published, **DATABASE).splitlines()
    assert (
        first == "### RAID 5, Database, OLTP 8K: PRAID EP420i ≤ 133 kIOPS, 4.63 x PRAID CP400i "
        "(≤ 28.7 kIOPS)"
    )
    assert basis.startswith(
        "Arrays: both are the highest that the paper prints; drives not fully reported: "
        "SSDs, count not reported"
    )


def test_chosen_arrays_a_and_b_are_compared(published: duckdb.DuckDBPyConnection) -> None:
    (line, basis) = _told(
        published,
        **DATABASE,
        array_a=["PRAID EP420i, RAID 5, SSDs, count not reported"],
        array_b=["PRAID EP420i, RAID 0, SSDs, count not reported"],
    ).splitlines()
    assert "RAID 0, SSDs, count not reported ≤ 248 kIOPS, 1.86 x PRAID EP420i, RAID 5" in line
    assert "RAID levels differ" in basis


def test_missing_value_is_reported_as_missing(published: duckdb.DuckDBPyConnection) -> None:
    assert _told(published, profile=["none"]).startswith("Nothing to compare")


def test_row_has_its_printed_value_and_page(published: duckdb.DuckDBPyConnection) -> None:
    rows = {row["array_label"]: row for row in _rows(published, "All values", **DATABASE)}
    row = rows["PRAID EP420i, RAID 5, SSDs, count not reported"]
    assert row["as_printed"] == "up to 133000 IO/s"
    assert row["source_label"].endswith(", p. 49")
    assert (row["next_label"], row["attained_label"]) == ("4.63 x", "is the limit")
    assert row["next_array_label"] == "PRAID CP400i, RAID 5, SSDs, count not reported"
    assert rows["PRAID EP400i, RAID 5"]["value_label"] == "not measured"
    assert "1 x SAS-12G-SSD" in rows, "single drives stand beside every RAID level"
    assert not any(", RAID 0," in label for label in rows)


@pytest.mark.parametrize(
    "search", ["5900", " 5,900 ", "5.900", "5 900", "59", "5900 MB/s", "5,900MB/s"]
)
def test_a_printed_value_is_found(published: duckdb.DuckDBPyConnection, search: str) -> None:
    rows = _rows(published, PRINTED, FIND, search=[search])
    found = {(row["as_printed"], row["pages"]) for row in rows}
    assert {("approx. 5900 MB/s", "38"), ("approx. 5900 MB/s", "46")} <= found
    read = {row["value_label"] for row in rows if row["as_printed"] == "approx. 5900 MB/s"}
    assert read == {"≈ 5900 x 2^20 B/s = 6.187 GB/s"}


@pytest.mark.parametrize("search", ["", "it's", "900"])
def test_other_searches_do_not_find_it(published: duckdb.DuckDBPyConnection, search: str) -> None:
    rows = _rows(published, PRINTED, FIND, search=[search])
    assert "approx. 5900 MB/s" not in {row["as_printed"] for row in rows}


def test_the_matrix_fits(published: duckdb.DuckDBPyConnection) -> None:
    """Eight load profiles, and no array without a value."""
    for row in _rows(published, "Arrays and load profiles"):
        array, *cells = row.values()
        assert len(cells) == 8
        assert any(cells), array


def test_every_label_of_the_matrix_has_one_shade(published: duckdb.DuckDBPyConnection) -> None:
    labels = published.execute(
        "select distinct factor_label from marts.rpt_compare_pairs where factor_label is not null"
    ).fetchall()
    assert [
        label
        for (label,) in labels
        if sum(bool(re.search(pattern, label)) for pattern in MATRIX.patterns) != 1
    ] == []


def test_factor_is_no_more_exact_than_its_values(ask: Ask) -> None:
    exact, bare = ask(
        "select bool_and(one.value_qualifier = 'exact' and other.value_qualifier = 'exact' "
        "or one.value_qualifier = 'at_most' and other.value_qualifier = 'at_most' "
        "and one.document_id = other.document_id), count(*) "
        "from marts.rpt_compare_pairs as pairs "
        "join marts.rpt_compare as one using (profile_id, array_label) "
        "join marts.rpt_compare as other on pairs.profile_id = other.profile_id "
        "and pairs.baseline_label = other.array_label "
        "where regexp_matches(factor_label, '^[0-9]')"
    )[0]
    assert exact
    assert bare > 100


def test_all_boards_show_the_same_share(published: duckdb.DuckDBPyConnection) -> None:
    """For equal values of an array: printed ones, and medians of the same runs."""
    shared, compared = published.execute(
        "select count(*) filter (compared.attained_label is not distinct from "
        "shown.attained_label), count(*) from marts.rpt_compare as compared "
        "join marts.rpt_array_results as shown using (array_label, profile_id, headline_value)"
    ).fetchall()[0]
    assert shared == compared > 90
    ((label,),) = published.execute(
        "select distinct attained_label from marts.rpt_measurements where "
        "array_label = 'PRAID EP420i, RAID 5, SSDs, count not reported' and profile_id = $profile",
        {"profile": DATABASE["profile"][0]},
    ).fetchall()
    assert label == "is the limit"


def test_the_first_row_and_the_first_sentence_agree(
    published: duckdb.DuckDBPyConnection,
) -> None:
    choices = published.execute(
        "select distinct profile_id, raid_level from marts.rpt_compare "
        "where headline_value is not null order by all"
    ).fetchall()[::4]  # each takes a second
    # arrays with an unknown medium are not compared with printed values
    ((arrays,),) = published.execute(
        "select list(array_label) from marts.rpt_compare "
        "where document_id is not null or drive_media is not null"
    ).fetchall()
    for profile, level in choices:
        chosen = {"profile": [profile], "raid_level": [level], "array_a": arrays, "array_b": arrays}
        choice = selections(BOARD, published, chosen)[0]
        line = choice["verdict"][0].splitlines()[0]
        rows = _shown(published, "All values", choice)
        first = next(row for row in rows if row["array_label"] in arrays)
        name = first["array_label"].removeprefix("1 x ").split(",")[0]
        has_both = name in line and first["value_label"] in line
        assert has_both or line.startswith("Nothing"), (profile, level, line)


def test_no_factor_compares_different_media(published: duckdb.DuckDBPyConnection) -> None:
    """A factor between SSDs and hard disks would say nothing about the arrays."""
    pairs = published.execute(
        "select count(*) from marts.rpt_compare_pairs as pairs "
        "join marts.rpt_compare as one using (profile_id, array_label) "
        "join marts.rpt_compare as other on pairs.profile_id = other.profile_id "
        "and pairs.baseline_label = other.array_label "
        "where one.drive_media != other.drive_media and pair_kind != 'Unlike'"
    ).fetchone()
    assert pairs == (0,)


def test_maxima_of_two_generations_are_paired(ask: Ask) -> None:
    """Fujitsu 2016, page 49: from 3800 to 6280 MB/s, and no controller is named."""
    rows = ask(
        "select controllers_label, value_label, baseline_controllers_label, baseline_value_label, "
        "source_label from marts.rpt_generations where factor_label = '1.65 x'"
    )
    source = "RAID Controller Performance 2016, p. 49"
    assert rows == [("SAS 12G controllers", "6.59 GB/s", "SAS 6G controllers", "3.98 GB/s", source)]
