"""The boards, without Grafana: current, complete, every query answered by the built warehouse."""

import functools
import itertools
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from benchmarks.board_queries import (
    GENERATED,
    PanelQuery,
    Selection,
    boards,
    panel_queries,
    panels,
    selections,
    substitute,
)
from dashboards import colours, marts
from dashboards.__main__ import EXPOSURES, generate
from dashboards.board import Board
from dashboards.boards import BOARDS as DECLARED
from dashboards.variables import NOTHING
from tests.conftest import Ask, is_query

UIDS = [
    "headroom-block-sizes", "headroom-claims", "headroom-compare", "headroom-data-quality",
    "headroom-find", "headroom-generations", "headroom-headroom", "headroom-overview",
    "headroom-raid-levels", "headroom-response-curve", "headroom-run", "headroom-sizing",
    "headroom-sustained", "headroom-vendors",
]  # fmt: skip
PLOTTABLE = {"VARCHAR", "BIGINT", "INTEGER", "DOUBLE", "BOOLEAN", "TIMESTAMP", "DATE"}
# Panels that may be empty: that is good news, or the chosen source lacks these values.
MAY_BE_EMPTY = {
    "Files that could not be read", "Quarantined files", "Changes in repeated runs",
    "Failed checks of last night", "Latency by direction", "Notes", "Latency percentiles",
    "Latency histogram", "IOPS over the run", "Latency over the run", "Invalid results",
    "Available details", "Tools at one load", "What failed",
    "Our runs beside the best published", "Mean latency",
}  # fmt: skip
# For the last choice: some profiles have no curve, ceiling or latency, some of our own values are
# not trusted, and published values have no verdict.
MAY_BE_EMPTY_ELSEWHERE = MAY_BE_EMPTY | {
    "Each array", "The arrays", "Per drive",
    "Latency over IOPS", "The knees", "IOPS by iodepth and numjobs", "% of ceiling",
    "By measurement", "The fewest drives of each design, as predicted", "By prediction",
    "Closest to the ceiling", "Arrays without a comparable % of ceiling",
    "Sources of the system facts", "Fewest drives by media and RAID level", "Verdict", "Rules",
}  # fmt: skip
BOARDS = {board["uid"]: board for board in boards()}
PANELS = {
    f"{uid}: {panel['title']}": panel
    for uid, board in BOARDS.items()
    for panel in panels(board)
    if panel["type"] != "text"
}
Connections = dict[bool, duckdb.DuckDBPyConnection]
# a curve's letter, after zero-width characters
_LETTER = re.compile("\u2060*([A-Z]\\d*): ")


@pytest.fixture(scope="module")
def files(few_predictions: Path) -> Iterator[Connections]:
    """The two published files: the results (False) and the nights (True)."""
    with (
        duckdb.connect(few_predictions / "headroom.duckdb", read_only=True) as results,
        duckdb.connect(few_predictions / "nights.duckdb", read_only=True) as nights,
    ):
        yield {False: results, True: nights}


@dataclass(frozen=True)
class Answer:
    query: PanelQuery
    types: dict[str, str]
    """By column."""
    rows: list[tuple[Any, ...]]


Asked = Callable[[str], list[tuple[Selection, list[Answer]]]]


def _ask(files: Connections, query: PanelQuery, choice: Selection) -> Answer:
    """Ask as Grafana's data source does, which refuses statements that are not queries."""
    sql = substitute(query.sql, choice)
    assert is_query(sql), sql
    result = files[query.is_quality].execute(sql)
    types = {name: str(type_) for name, type_, *_ in result.description}
    return Answer(query, types, result.fetchall())


@pytest.fixture(scope="module")
def asked(files: Connections) -> Asked:
    """All answers of a board, for its first and its last choice; each query runs once."""

    @functools.cache
    def ask(uid: str) -> list[tuple[Selection, list[Answer]]]:
        return [
            (choice, [_ask(files, query, choice) for query in panel_queries(BOARDS[uid])])
            for choice in selections(BOARDS[uid], files[False])
        ]

    return ask


def test_generated_files_are_current() -> None:
    expected = generate()
    for path, text in expected.items():
        assert path.read_text() == text, f"{path.name} is old: make boards"
    assert set(GENERATED.glob("*")) == set(expected) - {EXPOSURES}
    assert sorted(BOARDS) == UIDS


@pytest.mark.parametrize("uid", UIDS)
def test_every_query_returns_plottable_rows(uid: str, asked: Asked) -> None:
    for (choice, answers), may_be_empty in zip(
        asked(uid), (MAY_BE_EMPTY, MAY_BE_EMPTY_ELSEWHERE), strict=True
    ):
        empty = set()
        for answer in answers:
            unknown = set(answer.types.values()) - PLOTTABLE
            assert not unknown, f"{answer.query.panel}: {unknown}"
            if all(row[0] == answer.query.empty for row in answer.rows):
                empty.add(answer.query.panel)
        assert empty <= may_be_empty, choice


def test_invalid_measurements_are_hidden_unless_asked_for(
    warehouse: Path, tmp_path: Path, asked: Asked
) -> None:
    """Adds an invalid copy of every measurement, newer and with higher rates than all others."""
    path = Path(shutil.copy(warehouse / "headroom.duckdb", tmp_path / "odd.duckdb"))
    with duckdb.connect(path) as odd:
        odd.execute(
            "insert into marts.measurements select * replace ("
            "measurement_id || '-odd' as measurement_id, "
            "false as is_valid, 'odd' as validity_note, 1e12 as iops, "
            "1e12 as bytes_per_second, timestamp '2030-01-01' as measured_at) "
            "from marts.measurements"
        )
        for uid in ("headroom-vendors", "headroom-response-curve", "headroom-run"):
            ((choice, answers), _) = asked(uid)
            assert selections(BOARDS[uid], odd)[0] == choice
            if uid != "headroom-run":  # this board shows all measurements
                for before in answers:
                    sql = substitute(before.query.sql, choice)
                    assert Counter(odd.execute(sql).fetchall()) == Counter(before.rows), sql
        (listed,) = (
            query.sql
            for query in panel_queries(BOARDS["headroom-data-quality"])
            if query.panel == "Invalid results"
        )
        assert {row[0] for row in odd.execute(listed).fetchall()} == {"odd"}


@pytest.mark.parametrize("uid", UIDS)
def test_choices_come_from_queries(uid: str, asked: Asked) -> None:
    ((chosen, _), _) = asked(uid)
    for variable in BOARDS[uid]["templating"]["list"]:
        if variable["type"] == "query":
            assert is_query(substitute(variable["query"], chosen)), variable["name"]


@pytest.mark.parametrize("uid", UIDS)
def test_queries_work_when_nothing_is_chosen(uid: str, files: Connections, asked: Asked) -> None:
    board = BOARDS[uid]
    nothing = {
        variable["name"]: ([] if variable.get("multi") else [""])
        for variable in board["templating"]["list"]
    }
    # These always have a value: custom choices, and hidden variables with a fallback.
    ((always, _), _) = asked(uid)
    having = (
        "metric",
        "latency",
        "directions",
        "grid_workers",
        "throughput",
        "matrix_profiles",
        "reads",
    )
    choice = nothing | {name: always[name] for name in having if name in always}
    for query in panel_queries(board):
        rows = _ask(files, query, choice).rows
        if uid == "headroom-vendors":
            assert all(row[0] == query.empty for row in rows), "nothing chosen, nothing shown"


def _unit_of_each_column(panel: dict[str, Any]) -> bool:
    """Rates, times, sizes and shares have the unit of their name's suffix."""
    default = panel["fieldConfig"]["defaults"].get("unit")
    for override in panel["fieldConfig"]["overrides"]:
        settings = {entry["id"]: entry["value"] for entry in override["properties"]}
        column = override["matcher"]["options"]
        has_unit = re.search(r"(iops|bytes_per_second|_us|_bytes|_ratio)$", column)
        if has_unit and "unit" not in settings:
            return False
    return bool(default or panel["fieldConfig"]["overrides"])


def test_bars_and_points_link_to_their_measurements() -> None:
    for panel in PANELS.values():
        sql = panel["targets"][0]["rawSql"]
        if panel["type"] in ("barchart", "xychart") and "measurement_id" in sql.split(" from ")[0]:
            assert "/d/headroom-run?var-measurement=" in json.dumps(panel["fieldConfig"]), sql


def test_vendors_queries_use_every_chained_choice() -> None:
    for query in panel_queries(BOARDS["headroom-vendors"]):
        for name in ("vendor", "controller", "raid_level", "drive_media", "profile"):
            assert f"${{{name}:" in query.sql, query.panel


@pytest.mark.parametrize(
    ("uid", "title"), [("headroom-vendors", "The arrays"), ("headroom-compare", "All values")]
)
def test_rankings_can_leave_out_untrusted_runs(
    uid: str, title: str, warehouse: Path, tmp_path: Path
) -> None:
    """Only on request: published values stay, and the choice shows how many runs do not."""
    board = BOARDS[uid]
    path = Path(shutil.copy(warehouse / "headroom.duckdb", tmp_path / "judged.duckdb"))
    (sql,) = (query.sql for query in panel_queries(board) if query.panel == title)
    (trust,) = (entry for entry in board["templating"]["list"] if entry["name"] == "trust")
    with duckdb.connect(path) as judged:
        chosen = selections(board, judged, {"profile": ["random-read67-8KiB"]})[0]
        for verdict, left_out_count in (("too short", 1), ("trusted", 0)):
            for table in ("rpt_compare", "rpt_array_results"):
                judged.execute(
                    f"update marts.{table} set run_verdict = ?, is_example = false "
                    "where run_verdict is not null",
                    [verdict],
                )
            assert judged.execute(substitute(trust["query"], chosen)).fetchall() == [
                ("all", f"all, {left_out_count} of 1 not trusted"),
                ("trusted", f"only trusted, {left_out_count} of 1 left out"),
            ]
            every, ranked = (
                judged.execute(substitute(sql, chosen | {"trust": [value]})).fetchall()
                for value in ("all", "trusted")
            )
            assert len(ranked) > 1
            left_out = set(every) - set(ranked)
            assert [verdict in row for row in left_out] == [True] * left_out_count


def test_sizing_lists_measured_upper_bounds_last(published: duckdb.DuckDBPyConnection) -> None:
    board = BOARDS["headroom-sizing"]
    (sql,) = (query.sql for query in panel_queries(board) if query.panel == "By measurement")
    given = {"profile": ["random-read67-8KiB"], "may_fail": ["0"]}
    chosen = selections(board, published, given)[0]
    rows = published.sql(substitute(sql, chosen)).select("qualified_iops").fetchall()
    are_bounds = [value.startswith("≤") for (value,) in rows]
    assert any(are_bounds)
    assert are_bounds == sorted(are_bounds)


def test_nights_are_filtered_by_time() -> None:
    board = BOARDS["headroom-data-quality"]
    of_time = [query for query in panel_queries(board) if " started_at" in query.sql]
    assert len(of_time) == 3
    assert all("$__timeFilter(started_at)" in query.sql for query in of_time)


@pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)
def test_panel_has_unit_description_and_valid_links(panel: dict[str, Any]) -> None:
    defaults = panel["fieldConfig"]["defaults"]
    assert _unit_of_each_column(panel), "a panel has a unit, or each of its columns has"
    assert panel["description"].endswith(".")
    assert set(re.findall(r'"/d/([\w-]+)', json.dumps(panel))) <= set(UIDS)
    assert defaults["noValue"] != "No data"


@pytest.mark.parametrize("uid", UIDS)
def test_panel_links_to_its_measurements(uid: str) -> None:
    offered = {entry["name"] for entry in BOARDS["headroom-run"]["templating"]["list"]}
    for panel in panels(BOARDS[uid]):
        for link in panel["links"]:
            assert f"/d/{uid}?" not in link["url"], "a board does not lead to itself"
            if panel["type"] == "text":
                continue
            sql = panel["targets"][0]["rawSql"]
            assert ("headroom-data-quality" in link["url"]) == ("from quality." in sql)
            for name in re.findall(r"\$\{(profile|array|array_one|source):", sql):
                (_, given) = link["url"].split("?")
                assert f"${{{name}:" in given, panel["title"]
            assert set(re.findall(r"var-(\w+)=", link["url"])) <= offered


def test_panels_without_measurements_have_no_links() -> None:
    without = {
        panel["title"]
        for uid, board in BOARDS.items()
        for panel in panels(board)
        if panel["type"] != "text" and not panel["links"]
        if uid not in ("headroom-run", "headroom-data-quality")
    }
    assert without == {
        "Bandwidth of one lane", "What each level costs",
        "The fewest drives of each design, as predicted", "By prediction",
        "Random IOPS compared with RAID 0",
        "Fewest drives by media and RAID level",
    }  # fmt: skip
    titles = {panel["title"] for panel in panels(BOARDS["headroom-data-quality"])[1:]}
    assert not any(panel["links"] for panel in panels(BOARDS["headroom-data-quality"]))
    assert {"Repeated runs", "Names unknown to the catalog"} <= titles


@pytest.mark.parametrize("board", DECLARED, ids=lambda board: board.uid)
def test_query_reads_only_the_declared_table(board: Board, asked: Asked) -> None:
    """It reads one public table without a join, and names only variables of its board."""
    offered = {variable.name for variable in board.variables}
    for choice, _ in asked(board.uid):
        for query in board.queries:
            sql = substitute(query.sql, choice)
            table = f"{query.rows.schema}.{query.rows.table}"
            assert duckdb.get_table_names(sql, qualified=True) == {table}
            assert not re.search(r"\bjoin\b", re.sub(r"'[^']*'", "''", sql)), sql
            assert set(re.findall(r"\${(\w+):", query.sql)) <= offered, query.sql


@pytest.mark.parametrize("board", DECLARED, ids=lambda board: board.uid)
def test_panel_returns_its_declared_columns(board: Board, files: Connections, asked: Asked) -> None:
    for choice, _ in asked(board.uid):
        for query in (panel.query for panel in board.panels):
            sql = f"describe {substitute(query.sql, choice)}"
            described = files[query.rows.schema == "quality"].execute(sql).fetchall()
            names = [name for name, *_ in described]
            written = [column.name for column in query.columns if isinstance(column.name, str)]
            assert [name for name in names if name in written] == written, query.sql
            # Columns that a variable names are listed, except a grid's workers.
            if all(column.names for column in query.columns):
                assert set(names) - {NOTHING} <= set(query.looks), query.sql


@pytest.mark.parametrize("uid", UIDS)
def test_panels_do_not_overlap(uid: str) -> None:
    rows = [entry for entry in BOARDS[uid]["panels"] if entry["type"] == "row"]
    places = [panel["gridPos"] for panel in (*panels(BOARDS[uid]), *rows)]
    widths = Counter[int]()
    for place in places:
        widths[place["y"]] += place["w"]
    assert set(widths.values()) == {24}, "the panels of a row fill it"
    for one, other in itertools.combinations(places, 2):
        is_beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        is_above = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert is_beside or is_above, (one, other)


def test_detail_charts_are_folded(files: Connections) -> None:
    """The title above them lists the available details; Grafana 12 cannot hide a panel."""
    board = BOARDS["headroom-run"]
    (row,) = (entry for entry in board["panels"] if entry["type"] == "row")
    assert row["collapsed"]
    assert {panel["title"] for panel in row["panels"]} >= {
        "Latency percentiles", "Latency histogram", "IOPS over the run", "Latency over the run",
    }  # fmt: skip
    assert row["title"].endswith("${details}")
    (said,) = (
        entry["query"] for entry in board["templating"]["list"] if entry["name"] == "details"
    )
    for source, words in (
        ("document_id = 'fujitsu-raid-controllers-2016'", "none in this source"),
        ("document_id is null and source_format = 'fio'", "percentiles"),
    ):
        ((measurement,),) = (
            files[False]
            .execute(f"select min(measurement_id) from marts.measurements where {source}")
            .fetchall()
        )
        ((told,),) = (
            files[False].execute(substitute(said, {"measurement": [measurement]})).fetchall()
        )
        assert words in told


def test_table_texts_wrap_and_ids_show_as_open() -> None:
    for panel in PANELS.values():
        for override in panel["fieldConfig"]["overrides"]:
            given = {entry["id"]: entry["value"] for entry in override["properties"]}
            assert "wrapText" not in given.get("custom.cellOptions", {}), "Grafana 12 ignores it"
            if panel["type"] == "table" and override["matcher"]["options"] == "measurement_id":
                assert given["mappings"][0]["options"]["result"]["text"] == "open"
            if panel["type"] == "table" and override["matcher"]["options"] == "statement":
                assert given["custom.wrapText"]


def _drawn(connection: duckdb.DuckDBPyConnection, choice: dict[str, list[str]]) -> list[list[str]]:
    """The names of each chart's curves, with their zero-width characters."""
    board = BOARDS["headroom-response-curve"]
    return [
        sorted({row[2] for row in connection.execute(substitute(query.sql, choice)).fetchall()})
        for query in panel_queries(board)
        if query.panel in ("Latency over IOPS", "IOPS over outstanding I/Os")
    ]


def test_curves_of_a_chart_differ_in_colour(warehouse: Path, tmp_path: Path) -> None:
    """Only the first of many curves are drawn; from K on, drawn curves share out the colours."""
    path = Path(shutil.copy(warehouse / "headroom.duckdb", tmp_path / "many.duckdb"))
    with duckdb.connect(path) as many:
        many.execute(
            "insert into marts.rpt_response_curves select curves.* replace ("
            "curve_id || number as curve_id, curve_name || ' ' || number as curve_name) "
            "from marts.rpt_response_curves as curves cross join range(2) as copies (number)"
        )
        first, _ = selections(BOARDS["headroom-response-curve"], many)
        arrays = many.execute(
            "select distinct on (curve_number) array_label from marts.rpt_lettered_curves "
            "where profile_id = ? and worker_label = '1' order by curve_number",
            first["profile"],
        ).fetchall()
        assert len(arrays) > 2 * len(colours.CURVES)
        for chosen in (first["array"], [arrays[0][0], arrays[-1][0]], [arrays[-1][0]]):
            for names in _drawn(many, first | {"array": chosen}):
                seen = [name.strip("\u200b") for name in names]
                lettered = {name: found[1] for name in seen if (found := _LETTER.match(name))}
                numbers = [name.count("\u2060") for name in lettered]
                assert sorted(numbers) == sorted(set(numbers))
                assert 1 < len(numbers) <= len(colours.CURVES) >= max(numbers)
                for name in set(seen) - set(lettered) - {"knees"}:
                    (_, letters) = name.split(": ")
                    assert set(letters.split(", ")) <= set(lettered.values())


def test_curve_number_selects_the_colour() -> None:
    board = BOARDS["headroom-response-curve"]
    for panel in panels(board):
        if panel["type"] == "xychart":
            given = {
                override["matcher"]["options"]: json.dumps(override["properties"])
                for override in panel["fieldConfig"]["overrides"]
            }
            for number, colour in enumerate(colours.CURVES, start=1):
                name = "\u200b\u200b" + number * "\u2060" + "A: an array\u200b\u200b"
                found = [text for rule, text in given.items() if re.search(rule.strip("/"), name)]
                assert [colour in text for text in found if "fixedColor" in text] == [True]


def test_a_table_fills_its_panel() -> None:
    """On a wide screen too: at least one column has no fixed width."""
    for panel in PANELS.values():
        if panel["type"] == "table":
            columns = panel["fieldConfig"]["overrides"]
            settings = [{entry["id"] for entry in column["properties"]} for column in columns]
            assert not all("custom.width" in given for given in settings), panel["title"]


def test_a_table_fits_a_screen_of_1366_pixels() -> None:
    """With Grafana's menu open, no column is cut and no table scrolls sideways. Grafana shares the
    remaining width equally between columns that grow, and overflows if that is too little for one.
    """
    for panel in PANELS.values():
        if panel["type"] == "table" and "transformations" not in panel:
            widths, growing = (
                [
                    entry["value"]
                    for column in panel["fieldConfig"]["overrides"]
                    for entry in column["properties"]
                    if entry["id"] == setting
                ]
                for setting in ("custom.width", "custom.minWidth")
            )
            most = 1036 * panel["gridPos"]["w"] / 24 - 40  # minus its edges and scroll bar
            assert sum(widths) + len(growing) * max(growing, default=0) <= most, panel["title"]


@pytest.mark.parametrize("board", DECLARED, ids=lambda board: board.uid)
def test_headings_of_a_table_are_unique(board: Board) -> None:
    """With equal headings, Grafana shows one column's values in both."""
    for panel in board.panels:
        columns = panel.query.columns
        names = [column.name for column in columns if isinstance(column.name, str)]
        headings = [panel.query.looks[name].heading for name in names]
        assert len(headings) == len(set(headings)), (panel.title, headings)


@pytest.mark.parametrize("uid", UIDS)
def test_text_columns_have_no_number_unit(uid: str, asked: Asked) -> None:
    """With any other unit, Grafana turns the printed text '31.55' into a number and shows 31.6."""
    ((_, answers), _) = asked(uid)
    tables = {panel["title"]: panel for panel in panels(BOARDS[uid]) if panel["type"] == "table"}
    for answer in answers:
        if answer.query.panel not in tables:
            continue
        config = tables[answer.query.panel]["fieldConfig"]
        for name, type_ in answer.types.items():
            settings = [
                entry
                for override in config["overrides"]
                if override["matcher"]["options"] == name
                for entry in override["properties"]
            ]
            units = [entry["value"] for entry in settings if entry["id"] == "unit"]
            unit = (units or [config["defaults"].get("unit")])[-1]
            assert type_ != "VARCHAR" or unit in (None, "string"), (answer.query.panel, name)


@pytest.mark.parametrize("uid", UIDS)
def test_regex_mappings_are_on_text_columns(uid: str, asked: Asked) -> None:
    """Grafana matches patterns only against texts: a number would keep its colour."""
    ((_, answers), _) = asked(uid)
    drawn = {panel.get("title"): panel for panel in panels(BOARDS[uid])}
    for answer in answers:
        overrides = drawn[answer.query.panel]["fieldConfig"]["overrides"]
        matched = {
            override["matcher"]["options"]
            for override in overrides
            for entry in override["properties"]
            if entry["id"] == "mappings" and any(one["type"] == "regex" for one in entry["value"])
        }
        found = {answer.types[name] for name in matched & answer.types.keys()}
        assert found <= {"VARCHAR"}, answer.query.panel


def test_headings_are_in_lower_case() -> None:
    """Except abbreviations: run is a measurement, Run is the board."""
    for panel in PANELS.values():
        for column in panel["fieldConfig"]["overrides"]:
            for entry in column["properties"]:
                if entry["id"] == "displayName" and panel["type"] == "table":
                    (first, *_) = entry["value"].split() or [""]
                    assert first == first.lower() or first.isupper(), entry["value"]


def test_values_in_a_bar_table_share_one_unit(files: Connections, asked: Asked) -> None:
    units_of: dict[str, set[str]] = {}
    profiles = (
        files[False].execute("select distinct profile_id from marts.rpt_array_results").fetchall()
    )
    ((first, _), _) = asked("headroom-vendors")
    for (profile,) in profiles:
        for throughput in ("bytes_per_second", "mebibytes_per_second"):
            chosen = first | {"profile": [profile], "throughput": [throughput]}
            for query in panel_queries(BOARDS["headroom-vendors"]):
                if query.panel in ("Each array", "Per drive"):
                    result = files[False].execute(substitute(query.sql, chosen))
                    names = [column[0] for column in result.description]
                    shown = {row[names.index("value_text")] for row in result.fetchall()}
                    found = {text.split()[-1] for text in shown if text}
                    assert len(found) <= 1, (profile, query.panel, found)
                    units_of.setdefault(throughput, set()).update(found)
    assert units_of == {
        "bytes_per_second": {"kIOPS", "GB/s"},
        "mebibytes_per_second": {"kIOPS", "MB/s"},
    }


def test_run_shows_throughput_in_units_of_2_20_bytes(files: Connections) -> None:
    ((measurement, profile, value),) = (
        files[False]
        .execute(
            "select measurement_id, profile_id, bytes_per_second / 1048576 "
            "from marts.rpt_measurements where headline_metric = 'bytes_per_second' "
            "and is_best_of_array order by measurement_id limit 1"
        )
        .fetchall()
    )
    given = {
        "profiles": [profile],
        "measurement": [measurement],
        "throughput": ["mebibytes_per_second"],
    }
    board = BOARDS["headroom-run"]
    chosen, _ = selections(board, files[False], given)
    answers = {
        query.panel: _ask(files, query, chosen).rows
        for query in panel_queries(board)
        if query.panel in ("All arrays at this load profile", "Compared with its limits")
    }
    assert (value, measurement) in {row[1:] for row in answers["All arrays at this load profile"]}
    assert any(value in row for row in answers["Compared with its limits"])


def test_short_sources_keep_the_start_of_a_title(files: Connections) -> None:
    short = marts.source(100).expression
    rows = (
        files[False]
        .execute(f"select document_title, source_path, {short} from marts.rpt_measurements")
        .fetchall()
    )
    assert any("/" in title for title, *_ in rows if title)
    for title, path, shown in rows:
        assert shown.startswith(title[:24]) if title else path.endswith(f"/{shown}")


def test_few_bars_are_as_thick_as_many(asked: Asked) -> None:
    """A chart with few bars gets empty rows below; an empty chart gets none."""
    filled = 0
    for uid, board in BOARDS.items():
        bars = [panel["title"] for panel in panels(board) if panel["type"] == "barchart"]
        for _, answers in asked(uid):
            for answer in answers:
                if answer.query.panel not in bars:
                    continue
                labels = [row[0] for row in answer.rows]
                blank = labels.count("\N{ZERO WIDTH SPACE}")
                assert labels[len(labels) - blank :] == ["\N{ZERO WIDTH SPACE}"] * blank
                assert not labels or len(labels) >= 4
                filled += blank > 0
    assert filled


def test_every_board_is_an_exposure_of_existing_marts(ask: Ask) -> None:
    rows = ask("select table_name from information_schema.tables where table_schema = 'marts'")
    marts = {f"ref('{row[0]}')" for row in rows}
    exposures = yaml.safe_load(EXPOSURES.read_text())["exposures"]
    assert sorted(exposure["url"].rsplit("/", 1)[1] for exposure in exposures) == UIDS
    for exposure in exposures:
        assert set(exposure["depends_on"]) <= marts
        assert exposure["depends_on"] or exposure["name"] == "headroom_data_quality"
