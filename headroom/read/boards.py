"""`headroom boards`: the boards and their provisioning, for a Grafana of your own."""

import json
from pathlib import Path
from typing import Any

import click
import yaml

from headroom.cli import command
from headroom.warehouse import Warehouse, WarehouseError
from ingest.common.project_folder import project_folder

PLUGIN = "motherduck-duckdb-datasource"
_OWN_UID = "headroom"
_NIGHTS = "-nights"
_NEXT_STEPS = """\
{count} boards in {folder}/boards, with data sources for {warehouse}
Next, on the machine where Grafana 12 runs:
  1. Install the data source {plugin} 0.4.5 (unsigned):
     GF_PLUGINS_ALLOW_LOADING_UNSIGNED_PLUGINS={plugin}
     https://github.com/motherduckdb/grafana-duckdb-datasource
  2. Let Grafana's user read {warehouse} and {folder}/boards; it never writes to them.
  3. cp -r {folder}/provisioning/. /etc/grafana/provisioning/ && systemctl restart grafana-server
  4. Open http://localhost:3000/d/headroom-overview
  5. To show each night at once, set GRAFANA_URL, GRAFANA_USER and GRAFANA_PASSWORD for
     `headroom nightly`. A plugin built as in deploy/grafana.Dockerfile needs none of them.
"""


@command("headroom boards grafana", "headroom boards --datasource-uid lab /srv/grafana")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--datasource-uid", "uid", default="headroom", show_default=True, metavar="UID",
    help="Data source of the boards; the one for the nightly history is UID-nights.",
)  # fmt: skip
def boards(warehouse: Warehouse, folder: Path, uid: str) -> None:
    """Write the boards and their provisioning to DIR, for your own Grafana on this warehouse.

    Boards of an earlier version are replaced. The next steps are printed.
    """
    if not warehouse.published.exists():
        reason = "nothing published yet; run: headroom nightly PATH"
        raise WarehouseError(f"{warehouse.folder}: {reason}")
    folder = folder.resolve()
    count = _write_json(folder / "boards", {_OWN_UID + end: uid + end for end in ("", _NIGHTS)})
    _write_sources(folder / "provisioning", warehouse.folder.resolve(), uid)
    _write_provider(folder)
    steps = {"count": count, "folder": folder, "warehouse": warehouse.folder.resolve()}
    click.echo(_NEXT_STEPS.format(**steps, plugin=PLUGIN), nl=False)


def _write_json(folder: Path, uids: dict[str, str]) -> int:
    def renamed(found: dict[str, Any]) -> dict[str, Any]:
        return found | {"uid": uids[found["uid"]]} if found.get("type") == PLUGIN else found

    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{_OWN_UID}-*.json"):
        old.unlink()
    found = sorted(project_folder("dashboards/generated").glob("*.json"))
    for board in found:
        content = json.loads(board.read_text(), object_hook=renamed)
        (folder / board.name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return len(found)


def _write_sources(folder: Path, warehouse: Path, uid: str) -> None:
    """Write the data sources, none of them as default: your Grafana may have one already."""
    settings = _provisioning("datasources")
    del settings["prune"]  # it would concern Grafana's other data sources
    for source in settings["datasources"]:
        source["uid"] = source["uid"].replace(_OWN_UID, uid)
        source.pop("isDefault", None)
        path = source["jsonData"]["path"]
        source["jsonData"]["path"] = path.replace("$HEADROOM_WAREHOUSE", _literal(warehouse))
    _write_yaml(folder / "datasources", settings)


def _write_provider(folder: Path) -> None:
    settings = _provisioning("dashboards")
    for provider in settings["providers"]:
        provider["options"]["path"] = _literal(folder / "boards")
    _write_yaml(folder / "provisioning/dashboards", settings)


def _provisioning(kind: str) -> Any:
    path = project_folder("dashboards/provisioning") / kind / "headroom.yml"
    return yaml.safe_load(path.read_text())


def _literal(path: Path) -> str:
    """Escaped: Grafana reads $NAME in its settings as a variable."""
    return str(path).replace("$", "$$")


def _write_yaml(folder: Path, settings: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    (folder / "headroom.yml").write_text(f"# Written by `headroom boards`.\n{text}")
