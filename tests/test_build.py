"""`headroom build`: what it does once more than a night."""

import json
import shutil
from collections import Counter
from pathlib import Path

from tests.conftest import run_headroom


def test_the_models_pass_their_unit_tests(warehouse: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(warehouse, tmp_path / "warehouse", symlinks=True)
    result = run_headroom(copy, "build")
    assert result.returncode == 0, result.stdout + result.stderr
    passed = _passed(copy)
    assert passed["unit_test"] > 0
    assert passed == _passed(warehouse) + Counter(unit_test=passed["unit_test"])


def _passed(warehouse: Path) -> Counter[str]:
    """How many of each kind of node the last build had, all of them well; exposures are no-ops."""
    results = json.loads((warehouse / "dbt/run_results.json").read_text())["results"]
    assert {result["status"] for result in results} <= {"success", "pass", "no-op"}
    return Counter(result["unique_id"].split(".")[0] for result in results)
