"""tests/fio_page/ has the output of the command that docs/fio.md recommends.

fio 3.33 ran as on the page, but with less data and time. tests/test_results_in_marts.py looks at
the measurement.
"""

import json
import re
import shlex

from tests.conftest import ROOT

PAGE = (ROOT / "docs/fio.md").read_text()
RESULTS = ROOT / "tests/fio_page"
COMMAND = re.findall(r"^    (fio (?s:.*?)\.json)$", PAGE, re.MULTILINE)[0]
OPTIONS = dict(
    word.removeprefix("--").split("=") for word in shlex.split(COMMAND.replace("\\\n", ""))[1:]
)


def test_results_come_from_the_documented_command() -> None:
    """fio recorded each of its options, because each has a value."""
    (job,) = json.loads((RESULTS / "database.json").read_text())["jobs"]
    of_the_run = {"size": "512M", "ramp_time": "2", "runtime": "5"}
    of_the_output = {"output", "output-format"}
    recorded = {name: OPTIONS[name] for name in OPTIONS.keys() - of_the_output}
    assert job["job options"] == recorded | of_the_run


def test_every_option_is_explained() -> None:
    explained = re.findall(
        r"`--([\w-]+)", "".join(re.findall(r"^\| `--.*? \|", PAGE, re.MULTILINE))
    )
    assert set(explained) == OPTIONS.keys() - {"name", "filename", "output"}
