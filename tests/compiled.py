"""dbt's compiled SQL, to run on other inputs."""

import json
from pathlib import Path
from typing import Any


def models_between(warehouse: Path, given: set[str], wanted: str) -> dict[str, str]:
    """The SQL of each model between `given` and `wanted`, by relation, in order of dependency.

    Raises:
        StopIteration: dbt has no model of this name.
    """
    nodes: dict[str, Any] = json.loads((warehouse / "dbt/manifest.json").read_text())["nodes"]
    found: dict[str, str] = {}
    reads_given: dict[str, bool] = {
        next(key for key in nodes if key.endswith(f".{name}")): True for name in given
    }

    def visit(key: str) -> bool:
        if key not in reads_given:
            node = nodes.get(key, {})
            parents = [visit(parent) for parent in node.get("depends_on", {}).get("nodes", [])]
            reads_given[key] = any(parents)
            if reads_given[key]:
                found[f"{node['schema']}.{node['name']}"] = Path(node["compiled_path"]).read_text()
        return reads_given[key]

    visit(next(key for key in nodes if key.endswith(f".{wanted}")))
    return found
