"""A changed line has those sources read anew that it may read otherwise, and no others."""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import ingest
from ingest.parsers import PARSERS
from ingest.records.code import Code
from tests.conftest import MINIMAL_PAPER
from tests.test_archive import Lab

PACKAGE = Path(ingest.__file__).parent
ALL = {parser.NAME for parser in PARSERS}


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return shutil.copytree(PACKAGE, tmp_path / "ingest")


@pytest.mark.parametrize(
    ("module", "changed"),
    [
        ("parsers/fio/rows.py", {"fio"}),
        ("parsers/fio/__init__.py", {"fio"}),
        ("parsers/fio/bins.py", {"fio", "fio_log"}),
        ("parsers/fio_log/__init__.py", {"fio_log"}),
        ("parsers/iometer/cells.py", {"iometer"}),
        ("parsers/white_paper/sheets.py", {"white_paper"}),
        ("printed_values.py", {"white_paper"}),
        ("vocabulary.py", {"white_paper"}),
        ("parsers/iometer/head.py", ALL),
        ("parsers/__init__.py", ALL),
        ("identify.py", ALL),
        ("reading.py", ALL),
        ("names.py", ALL),
        ("load.py", set()),
        ("forget.py", set()),
        ("reparse.py", set()),
        ("records/ledger.py", set()),
        ("records/archive.py", set()),
        ("systems/sidecar/reading.py", set()),
        ("systems/describe/fio.py", set()),
    ],
)
def test_a_changed_line_changes_the_parsers_that_run_it(
    package: Path, module: str, changed: set[str]
) -> None:
    before = Code(package).by_parser
    with (package / module).open("a") as file:
        file.write("# another line\n")
    after = Code(package).by_parser
    assert {name for name in ALL if before[name] != after[name]} == changed
    assert (before[None] != after[None]) == bool(changed)


def test_a_changed_word_changes_what_reads_words(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Code().by_parser
    monkeypatch.setattr("ingest.vocabulary.WORDS", b"other words")
    after = Code().by_parser
    assert {name for name in ALL if before[name] != after[name]} == {"white_paper"}


@pytest.mark.parametrize(
    ("module", "is_changed"),
    [
        ("systems/describe/system.py", True),
        ("systems/sidecar/reading.py", True),
        ("parsers/fio/rows.py", True),  # from whose rows the devices are taken
        ("parsers/iometer/rows.py", False),
        ("forget.py", False),
    ],
)
def test_a_captured_system_is_read_anew_by_what_reads_it(
    package: Path, module: str, is_changed: bool
) -> None:
    before = Code(package).of_descriptions
    with (package / module).open("a") as file:
        file.write("# another line\n")
    assert (Code(package).of_descriptions != before) == is_changed


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_every_import_is_found(path: Path) -> None:
    code = Code()
    found = set(code.imported_by(path.read_bytes()))
    assert found >= set(_imported(ast.parse(path.read_bytes()), path))


def _imported(tree: ast.Module, path: Path) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively"
            if node.module and node.module.partition(".")[0] == "ingest":
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                yield from (one if _is_module(one) else node.module for one in inner)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.startswith("ingest"))


def _is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def test_only_what_a_changed_parser_read_is_read_anew(lab: Lab) -> None:
    lab.add()
    paths = (lab.results, MINIMAL_PAPER)
    assert [outcome.status for outcome in lab.ingest(*paths)] == ["loaded"] * 2
    lab.connection.execute("update raw.files set code_sha256 = 'older' where parser = 'fio'")
    again = {outcome.parser: outcome.status for outcome in lab.ingest(*paths)}
    assert again == {"fio": "loaded", "white_paper": "unchanged"}
    codes = dict(lab.rows("select parser, code_sha256 from raw.files"))
    assert codes == {name: Code().by_parser[name] for name in ("fio", "white_paper")}


@pytest.mark.parametrize("parser", ["fio", None])
def test_what_was_refused_is_read_anew_by_the_parser_that_refused_it_or_by_any(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, parser: str | None
) -> None:
    monkeypatch.setattr("ingest.records.ledger._UNSETTLED_NS", 0)
    refused = lab.results / "refused.json"
    refused.write_text('{"fio version" : "fio-3.33"' if parser else "nobody knows this")
    lab.ingest()
    query = "select parser, code_sha256, quarantined_at from quality.quarantined_files"
    (before,) = lab.rows(query)
    assert before[:2] == (parser, Code().by_parser[parser])
    lab.ingest()
    assert lab.rows(query) == [before]
    lab.connection.execute("update quality.quarantined_files set code_sha256 = 'older'")
    lab.ingest()
    (after,) = lab.rows(query)
    assert after[:2] == before[:2]
    assert after[2] > before[2]
