"""Which code a content's rows depend on: with a changed line in it the content is read anew.

That is what its parser imports, and what reads and identifies every content, in which `matches` of
each parser has a part. Imports are found in the modules' text: nothing runs.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import ingest
from ingest import vocabulary
from ingest.parsers import PARSERS

_PARSERS = "ingest.parsers."
_BOOKS = "ingest.records"  # what is noted of contents changes no row of theirs
# As the formatter has it: one module a line. To parse all modules takes a third of a second.
_IMPORT = re.compile(
    rb"^ *(?:from (ingest[\w.]*) import (\([^)]*\)|.*)|import (ingest[\w.]*))", re.MULTILINE
)
_NAME = re.compile(rb"\w+")
_Texts = dict[str, bytes]


class Code:
    """The modules of a package as they are on the disk, by the place of its folder."""

    def __init__(self, package: Path = Path(ingest.__file__).parent) -> None:
        self._files = {_module_of(path, package): path for path in package.rglob("*.py")}

    @cached_property
    def by_parser(self) -> dict[str | None, str]:
        """A fingerprint for each parser's name; under None of all, for what no parser claimed."""
        shared = self._texts(["ingest.reading"], (_BOOKS, _PARSERS))
        shared |= self._texts(parser.matches.__module__ for parser in PARSERS)
        texts: dict[str | None, _Texts] = {
            parser.NAME: shared | self._texts([f"{_PARSERS}{parser.NAME}"]) for parser in PARSERS
        }
        texts[None] = {name: text for one in texts.values() for name, text in one.items()}
        return {name: _fingerprint(one) for name, one in texts.items()}

    @cached_property
    def of_descriptions(self) -> str:
        """A fingerprint of what says which captured device a result names, and what it is."""
        return _fingerprint(self._texts(["ingest.systems.described"])) + self.by_parser["fio"]

    def _texts(self, roots: Iterable[str], apart: str | tuple[str, ...] = _BOOKS) -> _Texts:
        """The modules, and those that they import, but for what is apart."""
        found: _Texts = {}
        pending = [*roots]
        while pending:
            name = pending.pop()
            if name not in found and not name.startswith(apart):
                found[name] = self._files[name].read_bytes()
                pending += self.imported_by(found[name])
        return found

    def imported_by(self, text: bytes) -> Iterator[str]:
        """The modules of the package that a module's text imports."""
        for module, names, plain in _IMPORT.findall(text):
            for name in _NAME.findall(names) or [b""]:
                inner = f"{(module or plain).decode()}.{name.decode()}"
                yield inner if inner in self._files else (module or plain).decode()


def _module_of(path: Path, package: Path) -> str:
    inner = path.relative_to(package).with_suffix("").parts
    return ".".join([package.name, *(part for part in inner if part != "__init__")])


def _fingerprint(texts: _Texts) -> str:
    digest = hashlib.sha256()
    for name in sorted(texts):
        digest.update(texts[name])
    if vocabulary.__name__ in texts:
        digest.update(vocabulary.WORDS)
    return digest.hexdigest()
