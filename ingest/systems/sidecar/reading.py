"""Reads a `headroom.yml` and reports all its faults at once, each with its line."""

import difflib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from ingest.common.errors import InputError
from ingest.common.text_files import Place, read_yaml
from ingest.common.vocabulary import VERDICT_RULES, slug
from ingest.systems.sidecar.definitions import RATINGS, ControllerDefinition, DriveDefinition
from ingest.systems.sidecar.fields import FIELDS, GROUP_ALIASES, FileEntry, Sidecar
from ingest.systems.sidecar.kinds import SEVERAL_DRIVES, kinds_of, read_value, shown, split_lanes
from ingest.systems.sidecar.patterns import compile_regex

MOST_ENTRIES = 1000
_MOST_ERRORS = 50
_LONGEST_NAME = 80
_MUTED = "write each rule with its reason, such as `ramp: the drives were warm`"
_LISTS: dict[str, type[msgspec.Struct]] = {
    "files": FileEntry,
    "controllers": ControllerDefinition,
    "drives": DriveDefinition,
}
S = TypeVar("S", bound=msgspec.Struct)


class Fault(NamedTuple):
    place: Place
    reason: str


def parse_sidecar(text: str, path: Path) -> tuple[Sidecar, list[InputError]]:
    """The sidecar of a text and all its faults; a sidecar with faults has no values."""
    try:
        document = read_yaml(text, path)
    except InputError as error:
        return Sidecar(), [error]
    faults: list[Fault] = []
    sidecar = _read(document.values, Sidecar, (), faults)
    errors = [
        InputError(path, f"{_named(place)}{reason}", _line(place, document.lines))
        for place, reason in faults[:_MOST_ERRORS]
    ]
    if len(faults) > _MOST_ERRORS:
        errors.append(InputError(path, f"and {len(faults) - _MOST_ERRORS} more errors"))
    return sidecar, errors


def _read(values: Any, struct: type[S], place: Place, faults: list[Fault]) -> S:
    """The valid values as a struct."""
    if not isinstance(values, dict):
        example = f"{struct.__struct_fields__[0]}: ..."
        faults.append(Fault(place, f"{shown(values)} has no fields such as `{example}`"))
        values = {}
    kinds = kinds_of(struct)
    found: dict[str, Any] = dict.fromkeys(_required(struct), "")
    for name, value in values.items():
        where: Place = (*place, str(name)[:_LONGEST_NAME])
        if name not in kinds:
            faults.append(_unknown("field", where, kinds, len(faults)))
        elif value is None:
            continue
        elif struct is Sidecar and name in _LISTS:
            found[name] = _read_list(value, _LISTS[name], where, faults)
        elif name == "mute":
            found[name] = _read_muted(value, where, faults)
        else:
            try:
                found[name] = read_value(kinds[name], value)
            except ValueError as error:
                faults.append(Fault(where, str(error)))
    faults += [Fault(place, reason) for reason in _incomplete(struct, values)]
    return struct(**found)


def _read_list(values: Any, struct: type[S], place: Place, faults: list[Fault]) -> list[S]:
    if not isinstance(values, list):
        faults.append(Fault(place, f"{shown(values)} is not a list: begin each entry with `- `"))
        return []
    if len(values) > MOST_ENTRIES:
        reason = f"has {len(values)} entries, more than {MOST_ENTRIES}: split it by subfolder"
        faults.append(Fault(place, reason))
        return []
    entries = [_read(value, struct, (*place, index), faults) for index, value in enumerate(values)]
    faults += _repeated(entries, place)
    return entries


def _read_muted(values: Any, place: Place, faults: list[Fault]) -> str:
    """The muted rules with their reasons, as JSON."""
    if not isinstance(values, dict):
        faults.append(Fault(place, f"{shown(values)} has no rules: {_MUTED}"))
        return ""
    for rule, reason in values.items():
        where: Place = (*place, str(rule)[:_LONGEST_NAME])
        if rule not in VERDICT_RULES:
            faults.append(_unknown("rule", where, VERDICT_RULES, len(faults)))
        elif not isinstance(reason, str) or not reason.strip():
            faults.append(Fault(where, f"{shown(reason)} is no reason: {_MUTED}"))
    return "" if faults else json.dumps(values)


def _incomplete(struct: type[msgspec.Struct], values: dict[Any, Any]) -> list[str]:
    reasons = [f"{name} is missing" for name in _required(struct) if values.get(name) is None]
    if values.get("host_lane_count") and split_lanes(str(values.get("host_interface")))[1]:
        reasons.append("has lanes in host_interface and in host_lane_count: keep one of them")
    several = SEVERAL_DRIVES.fullmatch(str(values.get("drive")))
    if several and int(several[1]) == 0:
        reasons.append(f"has drive {shown(values['drive'])}, which is no drives: write 1 or more")
    if several and values.get("drive_count") not in (None, int(several[1])):
        reasons.append("has different counts in drive and drive_count: keep one of them")
    if values.get("direction") is not None and values.get("read_percent") is not None:
        reasons.append("has direction and read_percent: keep one of them")
    if struct in (ControllerDefinition, DriveDefinition):
        reasons += _without_source(values)
    if struct is FileEntry:
        if (values.get("glob") is None) == (values.get("regex") is None):
            reasons.append("needs either a glob or a regex")
        reasons += _unknown_groups(values.get("regex"))
    return reasons


def _without_source(values: dict[Any, Any]) -> list[str]:
    given = {name for name, value in values.items() if value is not None}
    rated = [name for name in RATINGS if name in given]
    reasons = []
    if rated and "rated_by" not in given:
        reasons.append(f"has {rated[0]} without rated_by: name the data sheet")
    if "price" in given and "price_currency" not in given:
        reasons.append("has price without price_currency: add it, such as EUR")
    if "price" in given and "price_by" not in given:
        reasons.append("has price without price_by: name the price list or quote")
    return reasons


def _unknown_groups(regex: Any) -> list[str]:
    try:
        groups = compile_regex(str(regex)).groupindex
    except ValueError:
        return []  # reported with the field
    known = [name for name in (*FIELDS, *GROUP_ALIASES) if name != "mute"]
    return [
        f"group {group!r} of the regex is not a field{_meant(group, known)}; "
        f"groups are {', '.join(known)}"
        for group in groups
        if group not in known
    ]


def _repeated(entries: list[Any], place: Place) -> list[Fault]:
    """Faults of names that are defined twice, in any spelling."""
    faults = []
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if not isinstance(entry, FileEntry):
            name = str(getattr(entry, entry.__struct_fields__[0]))
            if slug(name) and slug(name) in seen:
                reason = f"{name!r} is defined twice; keep one of the definitions"
                faults.append(Fault((*place, index), reason))
            seen.add(slug(name))
    return faults


@cache
def _required(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(struct) if field.required)


def _unknown(what: str, place: Place, known: Iterable[str], fault_count: int) -> Fault:
    """The reason stays empty for faults that are only counted."""
    if fault_count >= _MOST_ERRORS:
        return Fault(place, "")
    meant = _meant(str(place[-1]), known)
    return Fault(place, f"unknown {what}{meant}; {what}s are {', '.join(known)}")


def _meant(name: str, fields: Iterable[str]) -> str:
    """The field that a misspelt name most likely means."""
    found = difflib.get_close_matches(name.lower(), [*fields], n=1, cutoff=0.55)
    return f" (did you mean {found[0]}?)" if found else ""


def _named(place: Place) -> str:
    """A place as a person counts: "files entry 2, drive_count: "."""
    if not place:
        return ""
    first, *rest = (f"entry {part + 1}" if isinstance(part, int) else str(part) for part in place)
    return ", ".join([" ".join([first, *rest[:1]]), *rest[1:]]) + ": "


def _line(place: Place, lines: dict[Place, int]) -> int | None:
    """The line of the place, or of the nearest place around it."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place)
