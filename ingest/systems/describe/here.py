"""Runs the tools on this machine: only when asked to, for it describes the machine it runs on."""

import shutil
import subprocess

from ingest.systems.describe import lsblk, lspci, smartctl, ssacli, storcli
from ingest.systems.describe.facts import Input

_TIMEOUT_SECONDS = 60


def run_tools(kinds: set[str], devices: frozenset[str]) -> list[Input]:
    """Outputs of those tools that are installed and print something."""
    commands: list[tuple[str, tuple[str, ...]]] = [
        (reader.KIND, reader.COMMAND) for reader in (lsblk, lspci, ssacli)
    ]
    commands += [(smartctl.KIND, (*smartctl.COMMAND, f"/dev/{name}")) for name in sorted(devices)]
    program = next((name for name in storcli.PROGRAMS if shutil.which(name)), None)
    if program:
        commands += [(storcli.KIND, (program, *arguments)) for arguments in storcli.COMMANDS]
    return [
        Input(kind, f"`{' '.join(command)}` run here", text)
        for kind, command in commands
        if kind in kinds and (text := _run(command))
    ]


def _run(command: tuple[str, ...]) -> str:
    """What it prints, nothing if it is not there; smartctl's exit code is a drive's health."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        result = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return ""
    return result.stdout.decode(errors="replace")
