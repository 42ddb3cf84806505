"""`document.yml`: a paper's title page and units.

`units` has the base of the paper's prefixes, 2 for powers of 1024 and 10 for powers of 1000,
separately for throughput (MB/s), drive capacity (GB) and all other sizes (block, cache and stripe
sizes). A row of a sheet may override it in `unit_base`.
"""

import datetime
from pathlib import Path
from typing import Literal

import msgspec

from ingest.common.errors import InputError
from ingest.common.text_files import read_text, read_yaml

Base = Literal[2, 10]


class Units(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    throughput: Base
    drive_capacity: Base
    other_sizes: Base


class Edition(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    edition: str
    title: str
    version: str | None
    published_on: datetime.date | None = msgspec.field(name="published")
    page_count: int | None


class Document(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A paper. Its first edition is the leading one: its page is the measurement's page."""

    document_id: str
    title: str
    publisher: str
    version: str | None
    published_on: datetime.date | None = msgspec.field(name="published")
    published_as_printed: str | None
    commissioned_by: str | None
    tool_name: str | None
    tool_version: str | None
    url: str | None
    units: Units
    editions: list[Edition]
    # "controller_default": every measurement on a RAID level used the stripe of its controller's
    # `default_stripe` fact, unless its row says otherwise.
    stripe: Literal["controller_default"] | None = None
    rights: str | None = None
    text_source: str | None = None
    note: str | None = None


def read_document(path: Path) -> Document:
    """Read and check `document.yml`.

    Raises:
        InputError: not YAML, a field missing, unknown or of another type.
    """
    values = read_yaml(read_text(path, 1, "a paper's is a page"), path).values
    try:
        document = msgspec.convert(values, Document, builtin_types=(datetime.date,))
    except msgspec.ValidationError as error:
        raise InputError(path, f"not a valid document.yml: {error}") from error
    names = [edition.edition for edition in document.editions]
    if not names or len(set(names)) != len(names):
        raise InputError(path, f"editions must be one or more with different names, got {names}")
    return document
