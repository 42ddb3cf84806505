"""Captures this machine: only when asked to, for it describes the machine it runs on."""

import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from ingest.errors import InputError
from ingest.systems.describe.system import System, read_system

SCRIPT = Path(__file__).parents[1] / "capture.sh"


def capture() -> System:
    """Run the script of `headroom capture` here.

    Raises:
        InputError: it cannot be run.
    """
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["/bin/sh", str(SCRIPT), folder], capture_output=True, text=True)
        system = read_system(Path(folder))
    if system is None:
        raise InputError(SCRIPT, f"failed here: {run.stderr.strip()}")
    system.inputs = [replace(one, source=f"{one.source} of this machine") for one in system.inputs]
    return system
