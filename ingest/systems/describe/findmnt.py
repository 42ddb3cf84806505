"""`findmnt -J -o TARGET,SOURCE,FSTYPE`, or `-P` before util-linux 2.27: the tested file's mount."""

import os
from collections.abc import Iterator
from typing import Any

from ingest.systems.describe.facts import Fact, Input, facts_of, objects, pairs
from ingest.systems.describe.target import Target

COMMAND = "findmnt -J -o TARGET,SOURCE,FSTYPE"


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        mounts: list[dict[str, Any]] = [*pairs(one.text)]
        if not one.text.startswith('TARGET="'):
            documents = one.json_objects(COMMAND)
            mounts = [mount for found in documents for mount in _mounts(found.get("filesystems"))]
        for path in sorted(tested.paths):
            yield from _filesystem(mounts, path, tested, one.source)


def _mounts(values: Any) -> list[dict[str, Any]]:
    return [one for mount in objects(values) for one in (mount, *_mounts(mount.get("children")))]


def _filesystem(mounts: list[dict[str, Any]], path: str, tested: Target, source: str) -> list[Fact]:
    """The filesystem of the last mount nearest above the path, if it is on a tested device: the
    file's own filesystem may have been unmounted since."""
    above = [one for one in mounts if one.get("target") and _is_below(path, str(one["target"]))]
    if not above:
        return []
    mount = max(reversed(above), key=lambda one: len(str(one["target"])))
    device = str(mount.get("source") or "").partition("[")[0]
    where = f"{source}: {mount['target']} on {device}"
    if tested.devices and not tested.has_mounted(device):
        return [Fact("array", "filesystem", None, f"{where}, which was not tested")]
    if not tested.devices and mount["target"] == "/":
        return [Fact("array", "filesystem", None, f"{where}, if nothing else was mounted")]
    return facts_of("array", where, {"filesystem": mount.get("fstype")})


def _is_below(path: str, folder: str) -> bool:
    return os.path.join(os.path.normpath(path), "").startswith(os.path.join(folder, ""))
