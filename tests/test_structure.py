"""The packages of ingest import in one direction, which its docstring draws."""

import ast

import ingest
from tests.conftest import ROOT


def test_ingest_packages_import_only_earlier_ones() -> None:
    drawn = str(ingest.__doc__).splitlines()[2].replace(", ", " <- ").split(" <- ")
    rooms = [room.strip() for room in drawn]
    order = {room: place for place, room in enumerate(rooms)}
    last = order["records"] + 1  # modules such as load and forget share the last place
    for path in (ROOT / "ingest").rglob("*.py"):
        own = order.get(path.relative_to(ROOT / "ingest").parts[0].removesuffix(".py"), last)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("ingest."):
                room = str(node.module).split(".")[1]
                assert min(order.get(room, last), last) <= own, f"{path} imports {node.module}"
