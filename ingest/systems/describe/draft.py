"""Drafts a `headroom.yml` for a folder of results from the output of the machine's own tools.

A comment leaves fields open that no tool prints, or on which tools differ.
"""

from dataclasses import replace
from pathlib import Path

from ingest.sources import SIDECAR_FILE
from ingest.systems.describe import fio, machine
from ingest.systems.describe.facts import Input
from ingest.systems.describe.here import capture
from ingest.systems.describe.ranking import read_facts
from ingest.systems.describe.render import render
from ingest.systems.describe.system import nearest_system
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
    found = fio.read_results(folder)
    inputs = [Input.read(kind, path) for kind, paths in files.items() for path in paths]
    given = {one.kind for one in inputs}
    system = capture() if is_here else nearest_system(folder)
    remarks = list(found.remarks)
    tested = found.tested
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
    text = render(folder, remarks, [*read_facts(inputs, tested), found.facts])
    _, errors = parse_sidecar(text, folder / SIDECAR_FILE)
    if errors:  # a tool printed a value that no sidecar may have
        raise errors[0]
    return text
