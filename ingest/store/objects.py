"""The objects of a store, in a folder or in a bucket with the interface of S3."""

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from ingest.disk import PARTIAL, written_whole
from ingest.errors import InputError
from ingest.ignores import IGNORE_FILE

_CHUNK_BYTES = 8 << 20
_REMEDY = (
    "credentials and endpoint are read from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and "
    "AWS_ENDPOINT_URL"
)


class Objects(ABC):
    """Names have slashes. An object is there whole or not at all."""

    def __init__(self, url: str) -> None:
        self.url = url
        """What messages call it."""

    @abstractmethod
    def names(self, prefix: str) -> list[str]:
        """The objects below a prefix that ends with a slash.

        Raises:
            OSError: the store cannot be reached.
        """

    @abstractmethod
    def sizes(self, prefix: str) -> dict[str, int]:
        """Their bytes; as `names`."""

    @abstractmethod
    def write(self, name: str, path: Path) -> None:
        """Write a file as an object.

        Raises:
            OSError: it is not kept.
        """

    def fetch(self, name: str, target: Path, most_bytes: int) -> None:
        """Write an object to a file.

        Raises:
            InputError: it is missing, or has more bytes.
            OSError: it cannot be read now.
        """
        with self.opened(name) as source, target.open("wb") as copy:
            while chunk := source.read(_CHUNK_BYTES):
                copy.write(chunk)
                if copy.tell() > most_bytes:
                    raise InputError(f"{self.url}/{name}", f"has more than {most_bytes} bytes")

    @contextmanager
    def opened(self, name: str) -> Iterator[BinaryIO]:
        """An object, to be read in any order.

        Raises:
            InputError: it is missing.
            OSError: it cannot be read now.
        """
        try:
            with self._open(name) as source:
                yield source
        except FileNotFoundError as error:
            raise InputError(f"{self.url}/{name}", "is missing") from error

    @abstractmethod
    def _open(self, name: str) -> BinaryIO: ...


def open_objects(url: str) -> Objects:
    """The store at `s3://bucket/prefix`, or in a folder, which need not exist.

    Raises:
        InputError: the URL is of another kind, or has credentials in it.
    """
    if "://" not in url:
        return _Folder(Path(url))
    parts = urlsplit(url)
    names = [name for name in parts.path.split("/") if name]
    if parts.username or parts.password:
        shown = f"{parts.scheme}://{parts.hostname}{parts.path}"
        raise InputError(shown, f"has credentials in it, which others could read: {_REMEDY}")
    if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment:
        raise InputError(url, "is no store: expected a folder or s3://BUCKET/PREFIX")
    return _Bucket("/".join([parts.netloc, *names]))


class _Folder(Objects):
    def __init__(self, folder: Path) -> None:
        super().__init__(os.path.realpath(folder))
        self._folder = Path(self.url)

    def names(self, prefix: str) -> list[str]:
        return [
            f"{folder}/{name}".removeprefix(f"{self._folder}/")
            for folder, _, names in os.walk(self._folder / prefix, onerror=_unless_missing)
            for name in names
            if not name.endswith(PARTIAL)
        ]

    def sizes(self, prefix: str) -> dict[str, int]:
        return {name: os.stat(self._folder / name).st_size for name in self.names(prefix)}

    def write(self, name: str, path: Path) -> None:
        ignored = self._folder / IGNORE_FILE
        if not ignored.exists():  # its packs look like results to who ingests a folder above it
            with written_whole(ignored) as target:
                target.write_text("# A store of Headroom: read it with --from.\n*\n")
        with written_whole(self._folder / name) as target:
            shutil.copyfile(path, target)

    def _open(self, name: str) -> BinaryIO:
        path = self._folder / name
        if not path.is_file():  # a pipe would be waited for
            raise FileNotFoundError("there is no such file")
        return path.open("rb")


def _unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


class _Bucket(Objects):
    def __init__(self, root: str) -> None:
        super().__init__(f"s3://{root}")
        from pyarrow import fs  # loads the whole client, which a folder needs not

        self._root = root
        self._fs = fs.S3FileSystem(
            endpoint_override=os.environ.get("AWS_ENDPOINT_URL") or None,
            allow_delayed_open=True,  # one request for a small object
        )
        self._selector = fs.FileSelector

    def names(self, prefix: str) -> list[str]:
        return [*self.sizes(prefix)]

    def sizes(self, prefix: str) -> dict[str, int]:
        top = f"{self._root}/{prefix}".rstrip("/")
        found = self._fs.get_file_info(self._selector(top, recursive=True, allow_not_found=True))
        return {one.path.removeprefix(f"{self._root}/"): one.size for one in found if one.is_file}

    def write(self, name: str, path: Path) -> None:
        """A pack that is there already is left: an upload that is interrupted may cut it off."""
        if self._fs.get_file_info(f"{self._root}/{name}").size == path.stat().st_size:
            return
        with path.open("rb") as source, self._fs.open_output_stream(f"{self._root}/{name}") as copy:
            shutil.copyfileobj(source, copy, _CHUNK_BYTES)

    def _open(self, name: str) -> BinaryIO:
        stream: BinaryIO = self._fs.open_input_file(f"{self._root}/{name}")
        return stream
