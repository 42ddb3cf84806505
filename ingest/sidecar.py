"""`headroom.yml`: what result files do not say, the system under test.

The nearest sidecar up the tree wins, field by field, as .editorconfig does; one with `root: true`
ends the search.
"""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import polars as pl

from ingest.errors import InputError
from ingest.printed_values import read_printed_value
from ingest.sources import SIDECAR_FILE
from ingest.vocabulary import RAID_LEVELS


class Sidecar(msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """The array under test; what is not given is not known. `stripe` is a size such as 256 kB."""

    root: bool = False
    server: str | None = None
    vendor: str | None = None
    controller: str | None = None
    controller_generation: str | None = None
    raid_level: str | None = None
    drive: str | None = None
    drive_count: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    drive_media: Literal["HDD", "SSD"] | None = None
    drive_interface: str | None = None
    stripe: str | None = None
    note: str | None = None


FIELDS = tuple(field for field in Sidecar.__struct_fields__ if field != "root")
RAW_FIELDS: dict[str, pl.DataType] = {
    **{name: pl.String() for name in FIELDS if name not in ("drive_count", "stripe")},
    "drive_count": pl.Int64(),
    "stripe_number": pl.Float64(),
    "stripe_unit": pl.String(),
}


def read_sidecar(path: Path) -> Sidecar:
    """Read and check one `headroom.yml`.

    Raises:
        InputError: not YAML, an unknown field, or a value that cannot be.
    """
    try:
        values = msgspec.yaml.decode(path.read_bytes())
        sidecar = msgspec.convert({} if values is None else values, type=Sidecar)
        if sidecar.raid_level not in (None, *RAID_LEVELS):
            known = ", ".join(RAID_LEVELS)
            raise ValueError(f"raid_level {sidecar.raid_level!r} is unknown; known are {known}")
        _read_stripe(sidecar.stripe)
    except (msgspec.DecodeError, ValueError) as error:
        fields = ", ".join(Sidecar.__struct_fields__)
        raise InputError(path, f"{error}; fields are {fields}") from error
    return sidecar


def resolve_sidecar(path: Path) -> dict[str, str | int | float]:
    """What the sidecars above `path` say of it, as a row of RAW_FIELDS; empty where none does."""
    resolved: dict[str, str | int | float] = {}
    for folder in path.resolve().parents:
        if not (folder / SIDECAR_FILE).exists():
            continue
        sidecar = read_sidecar(folder / SIDECAR_FILE)
        for field in FIELDS:
            if getattr(sidecar, field) is not None:
                resolved.setdefault(field, getattr(sidecar, field))
        if sidecar.root:
            break
    return resolved | _read_stripe(resolved.pop("stripe", None))


def _read_stripe(stripe: object) -> dict[str, str | int | float]:
    if stripe is None:
        return {}
    value = read_printed_value(str(stripe), "size")
    if value.qualifier != "exact" or value.number is None:
        raise ValueError(f"stripe {stripe!r} is not one size such as 256 kB")
    return {"stripe_number": value.number, "stripe_unit": value.unit}
