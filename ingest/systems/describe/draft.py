"""Drafts a `headroom.yml` for a folder of results from the output of the machine's own tools.

Fields that no tool prints, or on which tools differ, become comments.
"""

import math
from dataclasses import replace
from pathlib import Path

import yaml

from ingest.find.sources import SIDECAR_FILE
from ingest.systems.describe import fio, machine
from ingest.systems.describe.facts import Input, Subject
from ingest.systems.describe.ranking import DEFINED, Ranked, best_value, read_facts, subject_of
from ingest.systems.describe.system import capture_this_machine, nearest_system
from ingest.systems.sidecar.fields import ArrayFields
from ingest.systems.sidecar.reading import parse_sidecar


def describe(folder: Path, files: dict[str, list[Path]], *, is_here: bool) -> str:
    """The text of a sidecar for the results in `folder`.

    Args:
        folder: the results; a captured system beside or above them is read.
        files: outputs of the tools, by kind; they override captured ones.
        is_here: capture this machine instead of reading the folder's system.

    Raises:
        InputError: a file cannot be read as the output of its tool.
    """
    tested, hosts, remarks = fio.read_results(folder)
    inputs = [Input.read(kind, path) for kind, paths in files.items() for path in paths]
    given = {one.kind for one in inputs}
    system = capture_this_machine() if is_here else nearest_system(folder)
    if system:
        for errors in system.errors.values():
            raise errors[0]
        inputs += [one for one in system.inputs if one.kind not in given]
        remarks.append(f"the machine as captured {'here' if is_here else f'in {system.path}'}")
        tested = replace(tested, is_draft=bool(given) or not tested.devices)
    if hypervisor := machine.hypervisor(inputs):
        remarks.append(
            f"a virtual machine ({hypervisor}): its tools do not see the controller, RAID level, "
            "drives and links behind its disks"
        )
    text = render(folder, remarks, [*read_facts(inputs, tested), hosts])
    _, errors = parse_sidecar(text, folder / SIDECAR_FILE)
    if errors:  # a tool printed a value that no sidecar may have
        raise errors[0]
    return text


def render(folder: Path, remarks: list[str], ranked: Ranked) -> str:
    """The sidecar's text.

    Args:
        folder: the results.
        remarks: lines for its head.
        ranked: facts, the best informed tools' first; the first tool with a field sets it.
    """
    head = f"Draft of a headroom.yml for {folder}, by `headroom describe`: check every line."
    lines = [f"# {_one_line(line)}" for line in (head, *remarks)]
    lines += [_line(subject_of(name), name, ranked) for name in ArrayFields.__struct_fields__]
    for subject, names in DEFINED:
        if best_value(subject, subject, ranked)[0] is None:
            continue
        lines += ["", f"{subject}s:", "  - " + _line(subject, names[0], ranked)]
        lines += ["    " + _line(subject, name, ranked) for name in names[1:]]
    return "\n".join(lines) + "\n"


def _line(subject: Subject, name: str, ranked: Ranked) -> str:
    value, why = best_value(subject, name, ranked)
    if value is None:
        return f"# {name}: ?   {_one_line(why)}"
    return f"{name}: {_scalar(value)}   # {_one_line(why)}"


def _scalar(value: str | int) -> str:
    """The value as YAML on one line, which reads back the same."""
    style = '"' if len(str(value).splitlines()) > 1 else None
    text: str = yaml.safe_dump(value, default_style=style, allow_unicode=True, width=math.inf)
    return text.removesuffix("...\n").rstrip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
