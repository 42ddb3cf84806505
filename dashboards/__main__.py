"""Writes `dashboards/generated/*.json` and dbt's exposures of the boards."""

import json
import re
from pathlib import Path

import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from dashboards.boards import BOARDS

GENERATED = Path(__file__).parent / "generated"
EXPOSURES = Path(__file__).parents[1] / "dbt_project/models/exposures.yml"


def generate() -> dict[Path, str]:
    """The content of every generated file."""
    texts = {str(board.uid): _json(board) for board in BOARDS}
    files = {GENERATED / f"{uid}.json": text for uid, text in texts.items()}
    exposures = [_exposure(board, texts[str(board.uid)]) for board in BOARDS]
    header = "# Written by `make boards`: what each board reads.\n"
    return files | {EXPOSURES: header + yaml.safe_dump({"exposures": exposures}, sort_keys=False)}


def _json(board: Dashboard) -> str:
    return json.dumps(board, cls=JSONEncoder, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _exposure(board: Dashboard, text: str) -> dict[str, object]:
    marts = sorted(set(re.findall(r"(?:from|join) marts\.(\w+)", text)))
    return {
        "name": str(board.uid).replace("-", "_"),
        "label": board.title,
        "type": "dashboard",
        "url": f"http://localhost:3000/d/{board.uid}",
        "description": board.description,
        "owner": {"name": "Headroom"},
        "depends_on": [f"ref('{mart}')" for mart in marts],
    }


if __name__ == "__main__":
    for path, text in generate().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
