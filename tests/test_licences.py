"""Every package that Headroom installs allows its use, and has a checksum in the lock."""

import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tests.conftest import ROOT

ALLOWED = re.compile(
    r"MIT|BSD|Apache|MPL|Mozilla Public License|PSF|Artistic License|0BSD|Zlib|CC0", re.IGNORECASE
)


def _installed() -> list[str]:
    command = "uv export --frozen --no-dev --no-emit-project --no-hashes --no-annotate --no-header"
    uv, *arguments = command.split()
    exported = subprocess.run(
        [ROOT / ".venv/bin" / uv, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [line.partition("==")[0] for line in exported.stdout.splitlines()]


def _licences(package: str) -> list[str]:
    """A package's licences; one allowed licence is enough, as a user may choose."""
    about = metadata.metadata(package)
    if expression := about.get("License-Expression"):
        return [str(expression)]
    classifiers = [str(text) for text in about.get_all("Classifier") or []]
    return [text for text in classifiers if text.startswith("License ::")] or [
        str(about.get("License", ""))[:80]
    ]


def test_every_licence_is_known_and_permissive() -> None:
    if not Path(ROOT, ".venv/bin/uv").exists():
        pytest.skip("uv is not installed here")
    others = {}
    for package in _installed():
        try:
            licences = _licences(package)
        except metadata.PackageNotFoundError:  # of another platform
            continue
        if not any(ALLOWED.search(licence) for licence in licences):
            others[package] = licences
    assert others == {}


def test_every_locked_file_has_a_checksum() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    files = [
        file
        for package in packages
        if "registry" in package["source"]
        for file in [
            *package.get("wheels", []),
            *([package["sdist"]] if "sdist" in package else []),
        ]
    ]
    assert len(files) > len(packages)
    assert all(re.fullmatch("sha256:[0-9a-f]{64}", file["hash"]) for file in files)
