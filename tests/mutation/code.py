"""Mutate Python modules and macros, and run the fast tests of each.

cosmic-ray lists the mutations of Python and makes them. Its own runner changes the files of the
checkout and starts a Python for each mutant. Here the files of a copy change, and the tests run in
a fork of a process that has imported the libraries: that saves two seconds per mutant.
"""

import hashlib
import importlib
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutation.sql import changes

ROOT = Path(__file__).parents[2]
COPY = ROOT / ".mutation"
_LIBRARIES = (
    "duckdb", "great_expectations.expectations", "hypothesis.strategies", "msgspec", "polars",
    "pyarrow", "re2", "wcmatch.glob", "yaml",
)  # fmt: skip
# The other operators mostly break annotations (`int | None`), which any test notices.
_OPERATORS = re.compile(
    r"core/(AddNot|Replace(True|False|And|Or|Break|Continue)With\w+|NumberReplacer|RemoveDecorator"
    r"|ZeroIterationForLoop|ReplaceUnaryOperator_Delete_\w+"
    r"|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_Mul|Pow_Mul"
    r"|LShift_RShift|RShift_LShift|BitAnd_BitOr)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE"
    r"|GtE_Gt|GtE_Lt|Is_IsNot|IsNot_Is))"
)
_OWN = ("headroom", "ingest", "expectations", "tests")
_NO_BEHAVIOUR = re.compile(r"\b(frozen|gc|maxsize)=|(^|[(,])\s*\*,")


@dataclass(frozen=True)
class Group:
    """Modules to mutate, and the fast tests that have to fail."""

    paths: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self) -> list[Path]:
        return sorted(chain.from_iterable(ROOT.glob(path) for path in self.paths))


GROUPS = {
    "fio": Group(
        ("ingest/parsers/fio/*.py",),
        ("tests/test_golden.py", "tests/test_fio.py", "-k", "not long_time"),
    ),
    "fio_log": Group(
        ("ingest/parsers/fio_log/*.py",),
        ("tests/test_golden.py", "tests/test_fio.py", "-k", "fio_log or log_ or histogram"),
    ),
    "iometer": Group(
        ("ingest/parsers/iometer/*.py",), ("tests/test_golden.py", "tests/test_iometer.py")
    ),
    "values": Group(
        ("ingest/common/printed_values.py", "ingest/common/vocabulary.py"),
        (
            "tests/test_printed_values.py",
            "tests/test_vocabulary.py",
            "tests/test_sidecar.py::test_a_raid_level_is_one_in_any_spelling",
        ),
    ),
    "units": Group(("dbt_project/macros/units.sql",), ("tests/test_units.py",)),
    "sidecar": Group(
        ("ingest/systems/sidecar/*.py", "ingest/systems/resolve.py", "ingest/common/text_files.py"),
        ("tests/test_sidecar.py",),
    ),
    "publish": Group(
        (
            "headroom/checksums.py",
            *(f"headroom/release/{name}.py" for name in ("publish", "releases", "stage")),
        ),
        ("tests/test_publish.py",),
    ),
    "checks": Group(("expectations/*.py",), ("tests/test_checks.py", "-k", "not cannot_run")),
}


@dataclass(frozen=True)
class Mutant:
    path: Path
    operator: str
    occurrence: int
    line: int

    apply: Callable[[str], str | None]

    @property
    def order(self) -> bytes:
        """Sorts mutants at random, in the same order each time."""
        name = f"{self.path.relative_to(ROOT)} {self.operator} {self.occurrence}"
        return hashlib.sha256(name.encode()).digest()


def mutants(path: Path) -> Iterator[Mutant]:
    text = path.read_text()
    if path.suffix == ".sql":
        for change in changes(text):
            name = f"{change.pattern} -> {change.becomes}"
            yield Mutant(path, name, change.index, change.line_number(text), change.apply)
        return
    nodes, lines = list(ast_nodes(get_ast(text))), text.splitlines()
    for name in filter(_OPERATORS.fullmatch, operator_names()):
        operator = get_operator(name)()
        places = chain.from_iterable(map(operator.mutation_positions, nodes))
        for occurrence, ((line, _), _) in enumerate(places):
            if not _NO_BEHAVIOUR.search(lines[line - 1]):
                apply = partial(mutate_code, operator=operator, occurrence=occurrence)
                yield Mutant(path, name, occurrence, line, apply)


def _copy_project() -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in tracked.stdout.split("\0")[:-1]:
        target = COPY / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def _run_tests(tests: tuple[str, ...], cpu_seconds: int, *, is_shown: bool = False) -> bool:
    """Whether the tests pass in the copy, in a fork, within the time."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        if not is_shown:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        sys.dont_write_bytecode = not is_shown  # a mutant's would be used for the original
        for name in [name for name in sys.modules if name.split(".")[0] in _OWN]:
            del sys.modules[name]
        sys.path.insert(0, str(COPY))
        os.chdir(COPY)
        options = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
        os._exit(pytest.main([*options, *tests]))
    _, status = os.waitpid(child, 0)
    return status == 0


def _survives(mutant: Mutant, tests: tuple[str, ...], cpu_seconds: int) -> str | None:
    """The changed line, if no test fails."""
    source = mutant.path.read_text()
    mutated = mutant.apply(source) or ""
    copy = COPY / mutant.path.relative_to(ROOT)
    copy.write_text(mutated)
    try:
        is_alive = _run_tests(tests, cpu_seconds)
    finally:
        shutil.copy2(mutant.path, copy)
    lines = zip(source.split("\n"), mutated.split("\n"), strict=False)
    return next(after.strip() for before, after in lines if before != after) if is_alive else None


def mutate(name: str, most: int) -> None:
    """Print the mutants of a group that none of its tests notices.

    Raises:
        SystemExit: the tests fail without any change.
    """
    group = GROUPS[name]
    before = _seconds_of_children()
    if not _run_tests(group.tests, 600, is_shown=True):
        raise SystemExit(f"{name}: the tests fail as it is")
    limit = 5 + 3 * int(_seconds_of_children() - before)
    every = [mutant for path in group.modules() for mutant in mutants(path)]
    sample = sorted(every, key=lambda mutant: mutant.order)[:most]
    count = 0
    for mutant in sorted(sample, key=lambda mutant: (mutant.path, mutant.line)):
        changed = _survives(mutant, group.tests, limit)
        if changed is not None:
            count += 1
            place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            print(f"{place}: {mutant.operator.removeprefix('core/')}: {changed}", flush=True)
    print(f"{name}: {len(sample)} of {len(every)} mutants, {count} survived", flush=True)


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prepare() -> None:
    """Import what every fork needs, and copy the project."""
    for name in _LIBRARIES:
        importlib.import_module(name)
    _copy_project()
