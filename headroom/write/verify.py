"""`headroom verify`: check archive and releases against their checksums; `--repair` rewrites.

Damaged contents are listed by the path of their source.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from headroom import terminal
from headroom.checksums import read_sums
from headroom.release.publish import publish_nights
from headroom.release.releases import fall_back, fault_of, releases_of
from headroom.release.restore import archive_ledger, restore_if_lost
from headroom.warehouse import Warehouse
from headroom.write import night_steps
from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.records.archive import sha256_of
from ingest.records.archived_tables import faults_in, lists_in
from ingest.records.audit import Audit, audit, files_in, mend

_PLACES = """
    select file_id, any_value(path), list(distinct absolute_path order by absolute_path)
    from (
        select file_id, path, absolute_path
        from raw.files inner join raw.sources using (file_id)
        union all
        select file_id, path, absolute_path from quality.quarantined_files
        where file_id is not null and absolute_path is not null
    )
    group by file_id order by 2
"""


@dataclass
class Found:
    """What verify found."""

    building: str | None = None
    whole: set[str] = field(default_factory=set)
    """File ids in undamaged packs."""
    broken: list[Audit] = field(default_factory=list)
    shown: dict[str, str] = field(default_factory=dict)
    """Path of each file id that the archive has lost."""
    places: dict[str, list[str]] = field(default_factory=dict)
    """Places of their sources, which may still exist."""
    ledger: list[InputError] = field(default_factory=list)
    published: dict[Path, str] = field(default_factory=dict)
    """Broken links, with the reason."""
    releases: list[Path] = field(default_factory=list)
    """Damaged releases that no link points to."""
    unsummed: list[Path] = field(default_factory=list)
    """Releases without a checksum."""
    content_count: int = 0
    release_count: int = 0

    def damages(self) -> Iterator[str]:
        if self.building:
            yield f"{self.building}; the next nightly run rebuilds it"
        for file_id, path in self.shown.items():
            yield f"{path}: missing or damaged in the archive ({file_id})"
        for one in self.broken:
            count = len(one.damaged)
            files = f"{count} damaged file{'s' * (count != 1)}"
            yield f"{printable(one.path)}: {one.fault or files}"
        for error in self.ledger:
            yield str(error)
        for fault in self.published.values():
            yield f"{fault}; the next nightly run publishes it anew"
        for release in self.releases:
            yield f"{release}: changed since it was published"


def verify(warehouse: Warehouse) -> Found:
    """Read everything and compare checksums."""
    found = Found(building=warehouse.fault_of_building(is_thorough=True))
    archive = warehouse.archive
    sound: set[str] = set()
    files = files_in(archive)
    with terminal.bar("archive", len(files)) as bar:
        for path in files:
            one = audit(archive, path)
            sound |= one.sound.keys()
            if one.is_whole:
                found.whole |= one.sound.keys()
            else:
                found.broken.append(one)
            bar.update(1)
    if found.building is None:
        _look_for_sources(warehouse, sound, found)
    found.content_count = len(sound)
    found.ledger = faults_in(archive.ledger)
    if files and not lists_in(archive.ledger):
        found.ledger.append(InputError(archive.ledger, "has no list of its tables"))
    _read_releases(warehouse, found)
    return found


def _look_for_sources(warehouse: Warehouse, sound: set[str], found: Found) -> None:
    with warehouse.open_building() as connection:
        for file_id, path, places in connection.execute(_PLACES).fetchall():
            if file_id not in sound:
                found.shown[file_id], found.places[file_id] = path, places


def _read_releases(warehouse: Warehouse, found: Found) -> None:
    sums = read_sums(warehouse.releases)
    links = (warehouse.published, warehouse.nights)
    releases = [one for link in links for one in releases_of(warehouse, link)]
    found.release_count = len(releases)
    found.unsummed = [one for one in releases if one.name not in sums]
    faults = ((link, fault_of(warehouse, link)) for link in links)
    found.published = {link: fault for link, fault in faults if fault}
    leading = {link.resolve() for link in links}
    others = [one for one in releases if one.name in sums and one.resolve() not in leading]
    with terminal.bar("releases", len(others)) as bar:
        for release in others:
            if sha256_of(release) != sums[release.name]:
                found.releases.append(release)
            bar.update(1)


def repair(warehouse: Warehouse, found: Found) -> None:
    """Rewrite damaged files from their source or another copy; damaged packs are moved away."""
    restore_if_lost(warehouse)
    if found.broken or found.places:
        mended = mend(warehouse.archive, found.broken, found.whole, found.places)
        for file_id in sorted(mended):
            click.echo(f"repaired {found.shown[file_id]} from its source")
    for path in (Path(error.path) for error in found.ledger):
        if path.is_file():
            path.unlink()
    if warehouse.building.exists():
        archive_ledger(warehouse)
    for release in found.releases:
        release.unlink()
    for link in found.published:
        _repair_published(warehouse, link)


def _repair_published(warehouse: Warehouse, link: Path) -> None:
    """Publish again, or point the link to an older release."""
    damaged = link.resolve()
    is_release = damaged != link.absolute()
    if link == warehouse.published and (name := night_steps.publish_again(warehouse)):
        click.echo(f"repaired {link}: published anew as {name}")
    elif link == warehouse.nights and warehouse.building.exists():
        publish_nights(warehouse)
        click.echo(f"repaired {link}: published anew as {link.resolve().name}")
    elif release := fall_back(warehouse, link):
        click.echo(f"repaired {link}: points to {release.name} until the next run publishes")
    else:
        return
    if is_release:
        damaged.unlink(missing_ok=True)


def print_damage(found: Found) -> bool:
    """Print the damage; True if there is none."""
    damages = [*found.damages()]
    for line in damages:
        click.echo(line)
    for release in found.unsummed:
        click.echo(f"{release.name}: no checksum")
    counts = f"{found.content_count} archived files, {found.release_count} releases"
    problems = f"{len(damages)} problem{'s' * (len(damages) != 1)}"
    click.echo(f"{counts}: {problems if damages else 'undamaged'}")
    return not damages
