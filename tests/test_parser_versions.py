"""A raised VERSION of a parser makes ingest read its files again, and no others."""

import pytest

from ingest.parsers import VERSIONS
from tests.conftest import MINIMAL_PAPER
from tests.lab import Lab, statuses


def test_only_files_of_the_newer_parser_are_read_again(lab: Lab) -> None:
    lab.add()
    paths = (lab.results, MINIMAL_PAPER)
    assert statuses(lab.ingest(*paths)) == ["loaded"] * 2
    lab.connection.execute("update raw.files set parser_version = '0' where parser = 'fio'")
    again = {outcome.parser: outcome.status for outcome in lab.ingest(*paths)}
    assert again == {"fio": "loaded", "white_paper": "unchanged"}
    versions = dict(lab.rows("select parser, parser_version from raw.files"))
    assert versions == {name: VERSIONS[name] for name in ("fio", "white_paper")}


@pytest.mark.parametrize("parser", ["fio", None])
@pytest.mark.usefixtures("settled")
def test_refused_files_are_retried_by_newer_parsers(lab: Lab, parser: str | None) -> None:
    refused = lab.results / "refused.json"
    refused.write_text('{"fio version" : "fio-3.33"' if parser else "nobody knows this")
    lab.ingest()
    query = "select parser, parser_version, quarantined_at from quality.quarantined_files"
    (before,) = lab.rows(query)
    assert before[:2] == (parser, VERSIONS[parser])
    lab.ingest()
    assert lab.rows(query) == [before]
    lab.connection.execute("update quality.quarantined_files set parser_version = 'older'")
    lab.ingest()
    (after,) = lab.rows(query)
    assert after[:2] == before[:2]
    assert after[2] > before[2]
