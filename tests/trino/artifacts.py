"""The parts of Trino from Maven Central, checked by their hashes; a Java to run it is on PyPI."""

import hashlib
import os
import shutil
import tarfile
import urllib.request
import zipfile
from pathlib import Path

VERSION = "476"
MAVEN = os.environ.get("MAVEN_CENTRAL", "https://repo1.maven.org/maven2")
SERVER = "trino-server-core"
SHA512 = {
    f"trino-server-core-{VERSION}.tar.gz": (
        "2a798bd9431e6a613a1dd9cbd4485a5ba3971fa4e86ade054c32bb1408cdf0ae"
        "9e2bdfd7d9a87266dc9b6851b51c9676c36fc1397666579cad7463e1724c7d83"
    ),
    f"trino-iceberg-{VERSION}.zip": (
        "39b160c2ebc762297880e0714329c1f7d33d9d7ac2e186cc639885540e058088"
        "b5a9228cf891ae21f006e8446189b194855f45b423af83c3ee6a7e94628423d0"
    ),
    f"trino-memory-{VERSION}.zip": (
        "507d4aec84aa6424600a65f18337e108e73a06a4c354f76a5b2d8f0ee71f20c4"
        "64d05b0510c9ad9083d608a0bacef17e1d9ba1acfce27893e10aa726c1a4378a"
    ),
}


class WrongHash(Exception):
    """A downloaded file does not have its pinned hash."""


def install(cache: Path) -> Path:
    """The folder of an unpacked server with its two connectors; downloads 530 MB the first time."""
    server = cache / f"{SERVER}-{VERSION}"
    if server.exists():
        return server
    unpacking = cache / "unpacking"
    shutil.rmtree(unpacking, ignore_errors=True)
    for name in SHA512:
        archive = _download(name, cache / "downloads")
        if name.endswith(".zip"):
            with zipfile.ZipFile(archive) as plugin:
                plugin.extractall(unpacking / server.name / "plugin")
        else:
            with tarfile.open(archive) as files:
                files.extractall(unpacking, filter="data")
    (unpacking / server.name).rename(server)
    shutil.rmtree(unpacking)
    return server


def _download(name: str, folder: Path) -> Path:
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        artifact = name.partition(f"-{VERSION}.")[0]
        url = f"{MAVEN}/io/trino/{artifact}/{VERSION}/{name}"
        partial = path.with_suffix(".partial")
        with urllib.request.urlopen(url, timeout=60) as answer, partial.open("wb") as file:
            shutil.copyfileobj(answer, file)
        partial.rename(path)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha512").hexdigest()
    if found != SHA512[name]:
        path.unlink()
        raise WrongHash(f"{name}: sha512 {found}, expected {SHA512[name]}")
    return path
