"""A first `headroom.yml` for a folder of results, from what the machine's own tools say of it.

Each tool has a module that reads its output into facts. Nothing is guessed: what no tool says, or
several say differently, is left open in a comment.
"""

from pathlib import Path
from types import ModuleType

from ingest.sources import SIDECAR_FILE
from ingest.systems.describe import fio, here, lsblk, lspci, smartctl, ssacli, storcli
from ingest.systems.describe.facts import Fact, Input
from ingest.systems.describe.render import render
from ingest.systems.sidecar.reading import parse_sidecar

# Whoever is asked first knows best: a RAID tool knows the drives behind its volumes, smartctl a
# drive itself, lsblk only what the system sees.
READERS: tuple[tuple[ModuleType, ...], ...] = ((storcli, ssacli), (smartctl,), (lsblk, lspci))
KINDS = tuple(reader.KIND for readers in READERS for reader in readers)


def describe(folder: Path, files: dict[str, list[Path]], *, is_here: bool) -> str:
    """The text of a sidecar for the results in `folder`.

    Args:
        folder: the results.
        files: outputs of the tools, by kind.
        is_here: run the tools of which there is no file on this machine, where the results are of.

    Raises:
        InputError: a file cannot be read as the output of its tool.
    """
    found = fio.read_results(folder)
    inputs = [Input.read(kind, path) for kind, paths in files.items() for path in paths]
    if is_here:
        given = {one.kind for one in inputs}
        inputs += here.run_tools(set(KINDS) - given, found.devices)
    facts: list[list[Fact]] = []
    for readers in READERS:
        said: list[Fact] = []
        for reader in readers:
            said += reader.read([one for one in inputs if one.kind == reader.KIND], found.devices)
        facts.append(said)
    text = render(folder, found.remarks, [*facts, found.facts])
    _, errors = parse_sidecar(text, folder / SIDECAR_FILE)
    if errors:  # a tool said what no sidecar may say
        raise errors[0]
    return text
