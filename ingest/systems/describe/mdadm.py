"""Linux software RAID: `mdadm --detail /dev/md0` (as root), or /proc/mdstat."""

import re
from collections.abc import Iterator

from ingest.common.vocabulary import read_raid_level
from ingest.systems.describe.facts import Fact, Input, as_count, facts_of
from ingest.systems.describe.target import Target

COMMAND = "mdadm --detail DEVICE"
_SETTING = re.compile(
    r"^ {1,40}(Raid Level|Raid Devices|Chunk Size|State) : (\S[^\n]*)", re.MULTILINE
)
# The worst first; "broken" is a RAID 0 that lost a drive.
_STATES = {"failed": "FAILED|broken", "rebuilding": "sync|recover|reshap", "degraded": "degraded|_"}
_STATUS = re.compile(
    r"^(?P<name>md\S*) : active (?:\([^)]*\) )*(?P<level>raid\S+) (?P<members>.*)\n"
    r"(?P<rest>.*(?:\n.*(?:resync|recovery|reshape) *=.*)?)",
    re.MULTILINE,
)


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        arrays = [*_details(one.text), *_statuses(one.text)]
        if not arrays and not one.text.startswith("Personalities"):
            raise one.unexpected("names no array", COMMAND)
        for name, level, count, chunk, state in arrays:
            if tested.may_have(name):
                size = re.fullmatch(r"(\d{1,9})([KM])", chunk.upper())
                values = {
                    "array_state": _state(state),
                    "raid_level": read_raid_level(level),
                    "drive_count": as_count(count),
                    "stripe": f"{size[1]} {size[2].replace('K', 'k')}B" if size else None,
                }
                yield from facts_of("array", f"{one.source}: {name}", values)


def _state(words: str) -> str | None:
    """From "clean, degraded, recovering" of mdadm or "[UU_U] recovery" of mdstat."""
    found = (state for state, marks in _STATES.items() if re.search(marks, words))
    return next(found, "optimal" if words else None)


def _details(text: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Name, level, count of devices (without spares), chunk and state of each array."""
    for array in re.split("^/dev/", text, flags=re.MULTILINE)[1:]:
        name, _, rest = array.partition(":\n")
        settings = dict(_SETTING.findall(rest))
        if "Raid Level" in settings:
            devices, chunk = settings.get("Raid Devices", ""), settings.get("Chunk Size", "")
            yield name, settings["Raid Level"], devices, chunk, settings.get("State", "")


def _statuses(text: str) -> Iterator[tuple[str, str, str, str, str]]:
    for array in _STATUS.finditer(text):
        active = [one for one in array["members"].split() if "(" not in one]
        count = re.search(r"\[(\d+)/\d+\]", array["rest"])
        chunk = re.search(r"(\d+)k chunks?", array["rest"])
        number = count[1] if count else str(len(active))
        states = re.findall(r"\[[U_]+\]|resync|recovery|reshape", array["rest"])
        size = f"{chunk[1]}K" if chunk else ""
        yield array["name"], array["level"], number, size, " ".join(states)
