"""A growing tree of results: its folders, and its good and bad files."""

import gzip
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from ingest.common.paths import printable
from tests.conftest import MINIMAL_PAPER, ROOT
from tests.packing import pack

GOLDEN = ROOT / "tests/golden"
FIO_RUN = (GOLDEN / "fio/fio-3.33-randrw.json").read_text()
IOMETER = [
    path.read_bytes()
    for path in sorted((GOLDEN / "iometer").glob("*.csv"))
    if path.name not in ("2001-no-end-stamps.csv", "1.1.0-bins-aborted.csv")
]
NAMES = (
    "night", "raid5 qd32", "Größe \U0001f600", "-rf", "it's \"quoted\"", "two\nlines", "x" * 200,
    os.fsdecode(b"r\xe9sultats \xff"), r"a\xff", "%s {x} $y `z`", "x.tar", "a.zip",
)  # fmt: skip


class Tree:
    """`good` files must be published, `bad` ones named; both are full paths."""

    def __init__(self, folder: Path, source: random.Random, name: str) -> None:
        self.folder = folder
        self.any = source
        self.name = name
        self.good: list[str] = []
        self.bad: list[str] = []
        self.told: list[str] = []
        self._count = 0
        folder.mkdir(parents=True)

    def number(self) -> int:
        self._count += 1
        return self._count

    def place(self) -> Path:
        """An existing or a new folder of the tree."""
        folders = [self.folder, *sorted(path for path in self.folder.rglob("*") if _is_dir(path))]
        folder = self.any.choice(folders[:30])
        if self.any.random() < 0.6 and len(folder.parts) < 20:
            folder = folder / self.any.choice(NAMES)
            try:
                folder.mkdir(exist_ok=True)
            except OSError:
                return self.folder
        return folder

    def own(self) -> Path:
        """A folder of this entry alone, with a good file in it."""
        folder = self.place() / f"own-{self.number()}"
        folder.mkdir(exist_ok=True)
        self.add_run(folder)
        return folder

    def run(self) -> bytes:
        """A fio result, different each time."""
        return FIO_RUN.replace("fio-3.33", f"fio-3.33-{self.name}-{self.number()}").encode()

    def add_good(self) -> None:
        adders: tuple[Callable[[Path], None], ...] = (
            self.add_run, self.add_run, self.add_iometer, self.add_packed, self.add_paper,
        )  # fmt: skip
        self.any.choice(adders)(self.place())

    def add_run(self, folder: Path) -> None:
        path = folder / f"good-{self.number()}.json"
        path.write_bytes(self.run())
        self.good.append(shown(path))

    def add_iometer(self, folder: Path) -> None:
        """The line ends at its end make its content unique."""
        path = folder / f"good-{self.number()}.csv"
        data = self.any.choice(IOMETER)
        path.write_bytes(data + b"\n" * int(self.name) + b"\r\n" * self._count)
        self.good.append(shown(path))

    def add_packed(self, folder: Path) -> None:
        name = f"good-{self.number()}.{self.any.choice(('zip', 'tar.gz', 'json.gz', 'tar'))}"
        runs = {f"r{number}/good.json": self.run() for number in range(self.any.randint(1, 3))}
        if name.endswith(".json.gz"):
            (folder / name).write_bytes(gzip.compress(self.run()))
            self.good.append(shown(folder / name / name.removesuffix(".gz")))
            return
        (folder / name).write_bytes(pack(name, runs))
        self.good += [shown(folder / name / run) for run in runs]

    def add_paper(self, folder: Path) -> None:
        paper = self.copy_paper(folder / f"paper-{self.number()}")
        self.good.append(shown(paper / "measurements.csv"))

    def copy_paper(self, paper: Path) -> Path:
        shutil.copytree(MINIMAL_PAPER, paper)
        document_id = f"paper-{self.name}-{self.number()}"
        for path in paper.rglob("*.*"):
            if path.is_file():
                path.write_text(path.read_text().replace("minimal-paper", document_id))
        return paper


def shown(path: Path) -> str:
    return printable(os.path.join(os.path.realpath(path.parent), path.name))


def _is_dir(path: Path) -> bool:
    is_taken = any(part.startswith(("paper-", "system", ".")) for part in path.parts)
    return not is_taken and not path.is_symlink() and path.is_dir()
