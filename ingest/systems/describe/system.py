"""The folder `system/` that `headroom capture`'s script writes beside results, a file per command.

A file's name begins with its tool's, as in smartctl-sda.json; other files are not read.
"""

import hashlib
import os
import re
import subprocess
import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ingest.common.errors import InputError
from ingest.common.text_files import read_text
from ingest.common.time_limit import time_limit
from ingest.find.links import ANYWHERE, AllowedLinks
from ingest.find.sources import MANIFEST_FILE, SYSTEM_FOLDER
from ingest.systems.describe.facts import Fact, Input
from ingest.systems.describe.ranking import (
    DEFINED,
    NOT_IN_INPUTS,
    READER_OF,
    best_value,
    read_facts,
    subject_of,
)
from ingest.systems.describe.target import Target
from ingest.systems.sidecar.fields import ArrayFields

SCRIPT = Path(__file__).parents[1] / "capture.sh"
_LARGEST_MIB = 16
_MOST_FILES = 1000
_LONGEST_REASON = 2000
_MOST_SECONDS = 30.0
_FAILED = "cannot be read"
_NAME = re.compile(r"([a-z]+)[-.].*\b(json|txt)")


class System:
    """The output of the machine's tools; `errors` has unreadable files by full path."""

    is_root = False

    def __init__(self, path: Path, links: AllowedLinks = ANYWHERE) -> None:
        self.path = path
        self.inputs: list[Input] = []
        self.errors: dict[str, list[InputError]] = {}
        self.facts_for = lru_cache(maxsize=1024)(self._facts_in_time)
        digest = hashlib.sha256()
        left = _LARGEST_MIB << 20
        for file, kind in self._files(links):
            try:
                text = read_text(file, _LARGEST_MIB, "capture it again")
                left -= len(text)
                if left < 0:
                    raise InputError(file, f"is beyond the folder's limit of {_LARGEST_MIB} MiB")
                digest.update(f"{file.name}\0{len(text)}\0{text}".encode(errors="replace"))
                self.inputs.append(_checked(Input(kind, file.name, text), file))
            except InputError as error:
                self._refuse(error)
        self.sha256 = digest.hexdigest()

    def _refuse(self, error: InputError) -> None:
        self.errors[error.path] = [error]

    def _files(self, links: AllowedLinks) -> list[tuple[Path, str]]:
        """The files whose names begin with a known tool, each with the tool."""
        if fault := links.refuse(self.path):
            self._refuse(fault)
            return []
        try:
            named = [
                (one, name[1]) for one in self.path.iterdir() if (name := _NAME.fullmatch(one.name))
            ]
        except OSError as error:
            self._refuse(InputError(self.path, f"cannot be listed: {error.strerror}"))
            return []
        found = []
        for file, kind in sorted(one for one in named if one[1] in READER_OF):
            if fault := links.refuse(file):
                self._refuse(fault)
            else:
                found.append((file, kind))
        if len(found) > _MOST_FILES:
            self._refuse(InputError(self.path, f"has more than {_MOST_FILES} files of tools"))
            return []
        return found

    def _facts_in_time(self, tested: Target) -> tuple[Fact, ...]:
        """A fact for each known field of the tested array; without a value where tools differ.

        Outputs that are unreadable only in combination give no facts.
        """
        try:
            with time_limit(_MOST_SECONDS):
                return self._facts(tested)
        except Exception as error:
            self._refuse(InputError(self.path, f"{_FAILED}: {type(error).__name__}: {error}"))
            return ()

    def _facts(self, tested: Target) -> tuple[Fact, ...]:
        ranked = read_facts(self.inputs, tested)
        fields = [(subject_of(name), name) for name in ArrayFields.__struct_fields__]
        fields += [
            (subject, name)
            for subject, names in DEFINED
            if best_value(subject, subject, ranked)[0] is not None
            for name in names
        ]
        facts = []
        for subject, name in dict.fromkeys(fields):
            value, why = best_value(subject, name, ranked)
            if why != NOT_IN_INPUTS:
                facts.append(Fact(subject, name, value, why[:_LONGEST_REASON]))
        return tuple(facts)


def read_system(folder: Path, links: AllowedLinks = ANYWHERE) -> System | None:
    """The captured system of a folder of results, if any. Links must lead into the `links`."""
    path = folder / SYSTEM_FOLDER
    return System(path, links) if os.path.lexists(path / MANIFEST_FILE) else None


def nearest_system(folder: Path) -> System | None:
    """The captured system of a folder of results or the nearest folder above."""
    folders = [folder.resolve(), *folder.resolve().parents]
    return next((system for one in folders if (system := read_system(one))), None)


def capture_this_machine() -> System:
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


def _checked(one: Input, file: Path) -> Input:
    """Return an output if its reader accepts it on its own.

    Raises:
        InputError: the reader fails, in whatever way a hostile file makes it fail.
    """
    try:
        with time_limit(_MOST_SECONDS):
            for _ in READER_OF[one.kind].read([one], Target(is_draft=True)):
                pass
    except InputError as error:
        raise InputError(file, f"{error.reason}; capture it again", error.line) from error
    except Exception as error:
        reason = f"{_FAILED}: {type(error).__name__}: {error}; capture it again"
        raise InputError(file, reason) from error
    return one
