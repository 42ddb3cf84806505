"""Writes `dashboards/generated/*.json` and dbt's exposures."""

import json
from pathlib import Path

import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder

from dashboards.board import Board
from dashboards.boards import BOARDS

GENERATED = Path(__file__).parent / "generated"
EXPOSURES = Path(__file__).parents[1] / "dbt_project/models/exposures.yml"


def generate() -> dict[Path, str]:
    """The content of every generated file."""
    files = {GENERATED / f"{board.uid}.json": _json(board) for board in BOARDS}
    exposures = [_exposure(board) for board in BOARDS]
    header = "# Written by `make boards`: what each board reads.\n"
    return files | {EXPOSURES: header + yaml.safe_dump({"exposures": exposures}, sort_keys=False)}


def _json(board: Board) -> str:
    text = json.dumps(board.built(), cls=JSONEncoder, indent=1, ensure_ascii=False, sort_keys=True)
    return text + "\n"


def _exposure(board: Board) -> dict[str, object]:
    reads = [query.rows for query in board.queries]
    marts = sorted({rows.table for rows in reads if rows.schema == "marts"})
    return {
        "name": board.uid.replace("-", "_"),
        "label": board.title,
        "type": "dashboard",
        "url": f"http://localhost:3000/d/{board.uid}",
        "description": board.words,
        "owner": {"name": "Headroom"},
        "depends_on": [f"ref('{mart}')" for mart in marts],
    }


if __name__ == "__main__":
    for path, text in generate().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
