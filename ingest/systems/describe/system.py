"""The folder `system/` that `headroom capture`'s script writes beside results: a file a command.

A file's name begins with the tool's: smartctl-sda.json. Other files in it are not read.
"""

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

from ingest.alarm import at_most
from ingest.errors import InputError
from ingest.roots import ANYWHERE, Roots
from ingest.sources import MANIFEST_FILE, SYSTEM_FOLDER
from ingest.systems.describe.facts import Fact, Input
from ingest.systems.describe.ranking import (
    DEFINED,
    NOT_SAID,
    READER_OF,
    read_facts,
    said,
    subject_of,
)
from ingest.systems.describe.target import Target
from ingest.systems.sidecar.fields import ArrayFields
from ingest.text import TextError, read_text

_LARGEST_MIB = 16
_MOST_FILES = 1000
_LONGEST_REASON = 2000
_MOST_SECONDS = 30.0
_FAILED = "cannot be read"
_NAME = re.compile(r"([a-z]+)[-.].*\b(json|txt)")


class System:
    """What the machine's tools printed; `errors` are of files that cannot be read, by full path."""

    is_root = False

    def __init__(self, path: Path, roots: Roots = ANYWHERE) -> None:
        self.path = path
        self.sha256 = ""
        self.inputs: list[Input] = []
        self.errors: dict[str, list[InputError]] = {}
        self.say = lru_cache(maxsize=1024)(self._say)
        if path.is_symlink() and (fault := roots.refuse(path)):
            self._refuse(fault)
            return
        digest = hashlib.sha256()
        total = 0
        for file, kind in _files(path, self.errors, roots):
            try:
                text = read_text(file, _LARGEST_MIB, "capture it again")
            except TextError as error:
                self._refuse(InputError(file, error.reason, error.line))
                continue
            total += len(text)
            if total > _LARGEST_MIB << 20:
                self._refuse(
                    InputError(file, f"is beyond the folder's limit of {_LARGEST_MIB} MiB")
                )
                continue
            digest.update(f"{file.name}\0{len(text)}\0{text}".encode(errors="replace"))
            one = Input(kind, file.name, text)
            if reason := _fault(one):
                self._refuse(InputError(file, f"{reason.reason}; capture it again", reason.line))
            else:
                self.inputs.append(one)
        self.sha256 = digest.hexdigest()

    def _refuse(self, error: InputError) -> None:
        self.errors[error.path] = [error]

    def _say(self, tested: Target) -> tuple[Fact, ...]:
        """What is known of what was tested, a fact a field; without a value where tools differ.

        Outputs that their readers took one by one, and do not take together, say nothing.
        """
        try:
            with at_most(_MOST_SECONDS):
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
            if said(subject, subject, ranked)[0] is not None
            for name in names
        ]
        facts = []
        for subject, name in dict.fromkeys(fields):
            value, why = said(subject, name, ranked)
            if why != NOT_SAID:
                facts.append(Fact(subject, name, value, why[:_LONGEST_REASON]))
        return tuple(facts)


def read_system(folder: Path, roots: Roots = ANYWHERE) -> System | None:
    """The system of a folder of results; None where none was captured. Links have to lead into the
    `roots`."""
    path = folder / SYSTEM_FOLDER
    return System(path, roots) if os.path.lexists(path / MANIFEST_FILE) else None


def nearest_system(folder: Path) -> System | None:
    """The system of a folder of results, or of one above it."""
    folders = [folder.resolve(), *folder.resolve().parents]
    return next((system for one in folders if (system := read_system(one))), None)


def _files(path: Path, errors: dict[str, list[InputError]], roots: Roots) -> list[tuple[Path, str]]:
    """The files that a reader knows by their names."""
    files: list[tuple[Path, str]] = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                name = _NAME.fullmatch(entry.name)
                if name is None or name[1] not in READER_OF:
                    continue
                if entry.is_symlink() and (fault := roots.refuse(entry.path)):
                    errors[entry.path] = [fault]
                elif len(files) < _MOST_FILES:
                    files.append((path / entry.name, name[1]))
                else:
                    reason = f"has more than {_MOST_FILES} files of tools"
                    errors[str(path)] = [InputError(path, reason)]
                    return []
    except OSError as error:
        errors[str(path)] = [InputError(path, f"cannot be listed: {error.strerror}")]
        return []
    return sorted(files)


def _fault(one: Input) -> InputError | None:
    """What is wrong with an output by itself; whatever a stranger's file does to a reader."""
    try:
        with at_most(_MOST_SECONDS):
            READER_OF[one.kind].read([one], Target(is_draft=True))
    except InputError as error:
        return error
    except Exception as error:
        return InputError(one.source, f"{_FAILED}: {type(error).__name__}: {error}")
    return None
