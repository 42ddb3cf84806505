"""The devices and files that a result was measured on."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ingest.systems.describe.facts import objects

Node = dict[str, Any]
"""A device of lsblk, with the devices made of it as `children`."""
_MOST_NAMES = 500
_BETWEEN_NAMES = re.compile(r"(?<!\\):")  # a colon of a name has a backslash before it


@dataclass(frozen=True)
class Target:
    """`devices` are names as in /dev, `paths` are of files or their folder.

    `several` has devices that are not made of each other: their drives are not one array. A draft
    (`is_draft`) takes everything that a tool prints if nothing is named.
    """

    devices: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    several: tuple[str, ...] = ()
    is_draft: bool = False

    def has(self, disk: str) -> bool:
        """Whether a disk such as /dev/sda is one of the devices, or has one as a partition."""
        name = disk.removeprefix("/dev/")
        return bool(name) and any(_is_part(one, name) for one in self.devices)

    def has_mounted(self, device: str) -> bool:
        """Whether a mounted /dev/sda1 or /dev/mapper/a-b is one of the devices or a part of one."""
        name = _canonical(device.removeprefix("/dev/"))
        return any(_is_part(name, one) for one in self.devices)

    def may_have(self, disk: str) -> bool:
        """Like `has`, but a draft accepts any disk."""
        return self.is_draft or self.has(disk)


def _is_part(device: str, disk: str) -> bool:
    """Whether it is the disk or a partition of it: sda1 of sda, nvme0n1p1 of nvme0n1."""
    number = device.removeprefix(disk) if disk and device.startswith(disk) else "none"
    if disk[-1:].isdigit() and number:
        number = number[1:] if number[0] == "p" else "none"
    return device == disk or number.isdecimal()


def named_by(options: Iterable[Mapping[str, str]], disks: Collection[str]) -> Target:
    """The devices and files of fio's options (`filename`, separated by colons, and `directory`),
    and the disks in `disk_util`; empty if they are more than an array has."""
    names: set[str] = set()
    for one in options:
        files = _BETWEEN_NAMES.split(one.get("filename") or "") if one.get("filename") else [""]
        for folder in (one.get("directory") or "").split(":"):
            names |= {os.path.join(folder, name).replace("\\:", ":") for name in files}
    devices = {name.removeprefix("/dev/") for name in names if name.startswith("/dev/")}
    paths = {name for name in names if name.startswith("/") and not name.startswith("/dev/")}
    if len(devices) + len(disks) + len(paths) > _MOST_NAMES:
        return Target()
    return Target(frozenset(devices.union(disks)), frozenset() if devices else frozenset(paths))


def expanded(target: Target, disks: Iterable[Node]) -> Target:
    """Add the devices that the named ones are made of, down to whole disks, by all names.

    Paths to a LUN are no disks.
    """
    named = {_canonical(name) for name in target.devices}
    found, paths, tops, parts = set(named), set[str](), set[str](), set[str]()
    for chain in (chain for disk in disks for chain in _chains(disk)):
        places = [i for i, node in enumerate(chain) if aliases(node) & named]
        multipath = [i for i, node in enumerate(chain) if node.get("type") == "mpath"]
        first, last = max(multipath, default=0), max(places, default=-1)
        for i, node in enumerate(chain):
            if i < first:
                paths |= aliases(node)
            elif i <= last:
                found |= aliases(node)
        for i in places:
            (tops if i == last else parts).add(min(aliases(chain[i])))
    apart = tops - parts or named  # without lsblk it is unknown which device is made of which
    several = tuple(sorted(apart)) if len(apart) > 1 and not target.is_draft else ()
    return replace(target, devices=frozenset(found - paths), several=several)


def aliases(node: Node) -> set[str]:
    """lsblk calls a device of the device mapper by its name, fio by its number (dm-0)."""
    return {str(node[key]) for key in ("name", "kname") if node.get(key)}


def nodes(device: Node) -> Iterator[Node]:
    """A device and all that are made of it."""
    return (chain[-1] for chain in _chains(device))


def _chains(device: Node, above: tuple[Node, ...] = ()) -> Iterator[tuple[Node, ...]]:
    """The chains of devices from a disk to each device made of it."""
    chain = (*above, device)
    yield chain
    for child in objects(device.get("children")):
        yield from _chains(child, chain)


def _canonical(name: str) -> str:
    """lsblk's name of /dev/GROUP/VOLUME, which is /dev/mapper/GROUP-VOLUME, too."""
    group, slash, volume = name.partition("/")
    if group == "mapper" and slash:
        return volume
    is_volume = slash and "/" not in volume and group not in ("disk", "md", "block")
    return f"{group.replace('-', '--')}-{volume.replace('-', '--')}" if is_volume else name
