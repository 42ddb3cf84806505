"""Files that are obviously no results are counted by kind, neither loaded nor refused."""

import io
import re
import shutil
import tarfile
from collections import Counter

import pytest

from ingest.forget import forget
from tests.conftest import ROOT
from tests.lab import FIO_RUN, Lab, statuses

KINDS = "select kind, count(*) from quality.files_without_results group by all order by all"

pytestmark = pytest.mark.usefixtures("settled")


def _project(lab: Lab) -> None:
    """Files of a repository around its results; half of them quote a result."""
    result = FIO_RUN.read_text()
    sources = {
        "README.md": f"# Results\n\n```\n{result}",
        "fio_test.go": f"package client\n\nvar printed = `\n{result}`\n",
        "report.html": f"<pre>\n{result}</pre>\n",
        "parse.c": 'static const char *key = "\\"fio version\\"";\n',
        "notes": "measured on Monday\n",
        "__init__.py": "",
    }
    for name, text in sources.items():
        (lab.results / name).write_text(text)
    (lab.results / "chart.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    with tarfile.open(lab.results / "old.tar", "w") as tar:
        info = tarfile.TarInfo("setup.py")
        tar.addfile(info, io.BytesIO())


def test_files_around_a_result_are_counted_by_kind(lab: Lab) -> None:
    lab.add("run.json")
    _project(lab)
    assert Counter(statuses(lab.ingest())) == {"loaded": 1, "no result": 8}
    assert lab.refused() == {}
    assert lab.rows("select path from raw.sources") == [(f"{lab.results}/run.json",)]
    assert lab.rows(KINDS) == [
        *((kind, 1) for kind in (".c", ".go", ".html", ".md", ".png")),
        (".py", 2),
        ("no suffix", 1),
    ]
    again = lab.ingest()
    assert Counter(statuses(again)) == {"unchanged": 1, "no result": 8}
    assert not any(outcome.kind for outcome in again)  # reported once
    assert forget(lab.connection, [lab.results]) == (1, 0)
    assert lab.rows(KINDS) == []


def test_html_result_of_another_tool_is_loaded(lab: Lab) -> None:
    shutil.copy(ROOT / "tests/golden/vdbench/flatfile.html", lab.results)
    (outcome,) = lab.ingest()
    assert outcome.status == "loaded"


def test_results_loaded_from_source_code_are_retired(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    _project(lab)
    with monkeypatch.context() as older:
        older.setattr("ingest.find.other_formats._SOURCE", re.compile("$^"))
        lab.ingest()
    query = "select is_current from raw.sources where path like '%.go'"
    assert lab.rows(query) == [(True,)]
    lab.connection.execute("update raw.files set parser_version = 'older'")
    lab.ingest()
    assert lab.rows(query) == [(False,)]


def test_result_overwritten_by_non_result_is_kept(lab: Lab) -> None:
    lab.add("run.json")
    lab.ingest()
    (lab.results / "run.json").write_text('{"name": "app"}')
    (outcome,) = lab.ingest()
    assert "is no result any more: restore it, or forget it" in str(outcome.errors[0])
    assert lab.rows("select is_current from raw.sources") == [(True,)]
    lab.add("run.json")
    assert statuses(lab.ingest()) == ["unchanged"]
    assert lab.refused() == {}


def test_newer_parser_reads_former_non_results(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.add("run.json")
    with monkeypatch.context() as older:
        older.setattr("ingest.find.identify.PARSERS", ())
        older.setattr("ingest.find.other_formats._PATTERNS", [])
        assert [outcome.kind for outcome in lab.ingest()] == [".json"]
    assert statuses(lab.ingest()) == ["no result"]
    lab.connection.execute("update quality.files_without_results set parser_version = 'older'")
    assert statuses(lab.ingest()) == ["loaded"]
    assert lab.rows(KINDS) == []
