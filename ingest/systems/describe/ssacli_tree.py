"""The indented text of ssacli as a tree: controllers, arrays, logical and physical drives."""

import re
from dataclasses import dataclass, field
from typing import Any

_CONTROLLER = re.compile(r"(?P<name>\S.*) in Slot \S+.*")
_BLOCK = re.compile(
    r"(?P<kind>Array|Logical Drive|Port Name)(?:: (?P<name>\S+))|"
    r"(?P<drive>physicaldrive) (?P<place>\S+)|(?P<loose>unassigned)",
    re.IGNORECASE,
)


@dataclass
class Block:
    """A controller, array, logical or physical drive with its settings and the blocks below it."""

    kind: str
    name: str
    settings: dict[str, str] = field(default_factory=dict)
    below: list["Block"] = field(default_factory=list)


def read_blocks(text: str) -> list[Block]:
    """The controllers, with their arrays below them, of the indented text."""
    controllers: list[Block] = []
    current: Block | None = None
    for line in text.split("\n"):
        controller, block = _CONTROLLER.fullmatch(line.rstrip()), _BLOCK.fullmatch(line.strip())
        if controller:
            current = Block("controller", controller["name"])
            controllers.append(current)
        elif block and controllers and ")" not in line.partition("(")[2]:  # no line of a short list
            kind = block["kind"] or block["drive"] or block["loose"]
            current = Block(kind.lower(), block["name"] or block["place"] or "")
            _parent(controllers[-1], current.kind).append(current)
        elif current and ": " in line:
            name, _, value = line.strip().partition(": ")
            current.settings.setdefault(name, " ".join(value.split()))
    for found in controllers:
        found.below = [block for block in found.below if block.kind == "array"]
    return controllers


def _parent(controller: Block, kind: str) -> list[Block]:
    """Drives go below the latest array, or the ports or `unassigned` that follow the arrays."""
    if kind not in ("logical drive", "physicaldrive") or not controller.below:
        return controller.below
    return controller.below[-1].below


def indented(tree: dict[str, Any], depth: int = 0) -> str:
    """A tree of JSON as the indented text; without nulls."""
    lines = []
    for name, inner in tree.items():
        if isinstance(inner, dict):
            lines += ["  " * depth + name, indented(inner, depth + 1)]
        elif inner is not None:
            lines.append("  " * depth + f"{name}: {inner}")
    return "\n".join(lines)
