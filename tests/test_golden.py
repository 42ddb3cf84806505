"""Each parser's rows of small files match golden files that a person has accepted.

`make golden` rewrites `<input>.golden.json`, for a paper `<folder>.golden.json`; read the diff
before committing it. If rows change, raise the parser's VERSION: without a new one, files
that are already loaded are not read again.
"""

import json
from pathlib import Path

import pytest

from ingest.common.text_files import as_utf8
from ingest.find.identify import identify
from ingest.find.sources import PAPER_FILE, find_sources
from ingest.parsers import PARSERS
from tests.reading import read_rows

GOLDEN = Path(__file__).parent / "golden"
SOURCES = [path for path in find_sources([GOLDEN]).files if not path.name.endswith(".golden.json")]
FILES = [path for path in SOURCES if path.name != PAPER_FILE]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_rows_match_golden_file(path: Path, request: pytest.FixtureRequest) -> None:
    parser = identify(path, as_utf8(path.read_bytes()))
    assert path.relative_to(GOLDEN).parts[0] == parser.NAME
    rows = {
        table: [{k: v for k, v in row.items() if v is not None} for row in rows]
        for table, rows in read_rows(parser, path).items()
    }
    found = {"parser_version": parser.VERSION, **rows}
    text = json.dumps(found, indent=1, ensure_ascii=False, default=str) + "\n"
    unit = path.parent if path.name == PAPER_FILE else path
    golden = unit.with_name(unit.name + ".golden.json")
    if request.config.getoption("--regenerate"):
        accepted = json.loads(golden.read_text()) if golden.exists() else {}
        is_newer = accepted.get("parser_version") != parser.VERSION
        assert is_newer or accepted == json.loads(text), f"raise VERSION of {parser.NAME}"
        golden.write_text(text)
    assert text == golden.read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GOLDEN)))
def test_one_parser_claims_a_file(path: Path) -> None:
    head = as_utf8(path.read_bytes())[:4096].decode(errors="replace")
    claiming = [parser.NAME for parser in PARSERS if parser.matches(head)]
    assert claiming == [path.relative_to(GOLDEN).parts[0]]


def test_every_parser_has_a_golden_file() -> None:
    assert {path.relative_to(GOLDEN).parts[0] for path in SOURCES} == {p.NAME for p in PARSERS}
