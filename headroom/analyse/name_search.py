"""Finds controllers, drives, folders, ... by a part of their name."""

import re
from pathlib import Path
from typing import NamedTuple

import duckdb

from headroom.warehouse import WarehouseError

_SHOWN = 20
# Every folder above a loaded file is a subject.
_NAMED = """
    select distinct '{}' as kind, {} as name, {} as called from {}
    union"""
_SUBJECTS = f"""
    with folders as (
        select distinct string_split(path, '/') as parts
        from raw.sources semi join raw.files on sources.file_id = files.file_id
            and files.parser != 'white_paper'
        where is_current
    )
    {_NAMED.format("controller", "controller", "controller", "measurements")}
    {_NAMED.format("drive", "drive", "drive", "measurements")}
    {_NAMED.format("array", "array_label", "array_label", "dim_arrays")}
    {_NAMED.format("array", "array_label", "array_id", "dim_arrays")}
    {_NAMED.format("host", "server", "server", "measurements")}
    {_NAMED.format("tool", "tool_name", "tool_name", "measurements")}
    {_NAMED.format("document", "document_id", "document_id", "measurements")}
    {_NAMED.format("document", "document_id", "document_title", "measurements")}
    select 'folder', name, name
    from (
        select array_to_string(parts[:depth], '/') as name
        from (select parts, unnest(range(1, len(parts) + 1)) as depth from folders)
    ) where name != ''
"""
_PROFILES = """
    select 'load profile' as kind, profile_id as name, called
    from (
        select profile_id, unnest([profile_id, profile_label, plain_name, load] || names) as called
        from (
            select
                profile_id, profile_label,
                case random_ratio when 0 then 'sequential' when 1 then 'random' end
                || case read_ratio when 0 then ' write' when 1 then ' read' end as load,
                regexp_extract(profile_label, '^(.*?)( \\(.*\\))?$', 1) as plain_name,
                string_split(plain_name, ', ') as names
            from dim_load_profiles
        )
    )
"""
# Also by its number alone: 0 means RAID 0, not RAID 10.
_RAID_LEVELS = """
    select 'RAID level' as kind, raid_level as name,
        unnest([raid_level, replace(raid_level, 'RAID ', '')]) as called
    from dim_raid_levels
"""
# Ignores case, spaces and dashes. A whole name, or the last part of a path, wins over parts of
# names.
_FOUND = """
    with known as (
        select kind, name, called, regexp_replace(lower(called), '[\\s_.-]+', '', 'g') as form
        from ({known}) where called is not null
    ),

    matches as (
        select
            kind, name, form,
            form = $form or kind = 'folder' and ends_with(form, '/' || $form) as is_exact
        from known where contains(form, $form) and kind = coalesce($kind, kind)
    ),

    best as (from matches where is_exact = (select bool_or(is_exact) from matches))

    select kind, name from best as one
    where not exists (
        from best as other where other.form != one.form and contains(one.form, other.form)
    )
    group by all order by all
"""
# By the most similar word: a typo is in one word of a long name, and rarely at its beginning.
_NEAREST = """
    select name from (
        select name, unnest([called] || regexp_split_to_array(called, '[\\s/,_-]+')) as word
        from ({known}) where kind = coalesce($kind, kind)
    )
    group by name
    order by
        max(
            jaro_similarity(lower(word), $text)
            + 0.1 * len(list_filter([1, 2, 3, 4], lambda n: lower(word)[:n] = $text[:n]))
        ) desc, length(name), name
    limit 3
"""
# Folders of the originals, if a folder has only copies.
_ORIGINALS = """
    select array_to_string(
        list(distinct parse_dirpath(source_path) order by parse_dirpath(source_path))[:3], ', '
    )
    from measurements where file_id in (
        select file_id from raw.sources where is_current and starts_with(path || '/', $1 || '/')
    )
    having not bool_or(starts_with(source_path || '/', $1 || '/'))
"""
# The parts of a load as people write it, such as "8k random 67% read" or "randwrite 4k".
_SHARE = r"(?:\b(\d{1,3}) ?% ?)?(read|write)s?\b|\b(\d{1,3})/(\d{1,3})\b"
_ACCESS = r"\b(?:100 ?% ?)?(rand|seq)(?:om|uential)?"
_BLOCK = r"\b(\d{1,5}) ?(?:([km])i?b?|b)\b"
_KINDS = ("controller", "drive", "array", "host", "tool", "document", "folder", "load profile")


class Subject(NamedTuple):
    kind: str
    name: str


def find_subject(connection: duckdb.DuckDBPyConnection, text: str) -> Subject:
    """The controller, drive, array, host, tool, document or folder of results with this name.

    Raises WarehouseError if there is none or several; the message lists candidates.
    """
    subject = _find(connection, _SUBJECTS, _as_loaded(connection, text))
    if subject.kind == "folder":
        for (originals,) in connection.execute(_ORIGINALS, [subject.name]).fetchall():
            raise WarehouseError(
                f"{subject.name}: only copies of results in {originals}; name that instead"
            )
    return subject


def find_profile(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """The id of a load profile, by its name or as in "8k random 67% read"."""
    return _find(connection, _PROFILES, _typed_load(text) or text, "load profile").name


def _typed_load(text: str) -> str | None:
    """The id that the load profile has if it is known; None for a text with other words."""
    rest = text.lower()
    parts = []
    for pattern in (_SHARE, _ACCESS, _BLOCK):
        part = re.search(pattern, rest)
        if not part:
            return None
        parts.append(part)
        rest = rest[: part.start()] + rest[part.end() :]
    share, access, block = parts
    percent = int(share[3] or share[1] or 100)
    is_mix = share[3] is not None
    if re.search(r"\w", rest) or percent > 100 or (is_mix and percent + int(share[4]) != 100):
        return None
    order = "random" if access[1] == "rand" else "sequential"
    reads = 100 - percent if share[2] == "write" else percent
    size = _size_label(int(block[1]) * {"m": 1 << 20, "k": 1 << 10, None: 1}[block[2]])
    return f"{order}-read{reads}-{size}"


def _size_label(count: int) -> str:
    """As the macro `size_label`."""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count % unit == 0:
            return f"{count // unit}{name}"
    return f"{count}B"


def find_raid_level(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """The RAID level."""
    return _find(connection, _RAID_LEVELS, text, "RAID level").name


def find_named(connection: duckdb.DuckDBPyConnection, kind: str, table: str, text: str) -> str:
    """The name in the column `kind` of a mart."""
    known = f"select distinct '{kind}' as kind, {kind} as name, {kind} as called from {table}"
    return _find(connection, known, text, kind).name


def nearest_names(
    connection: duckdb.DuckDBPyConnection,
    text: str,
    kind: str | None = None,
    known: str = _SUBJECTS,
) -> str:
    """The three most similar names."""
    given = {"kind": kind, "text": text.lower()}
    nearest = connection.execute(_NEAREST.format(known=known), given).fetchall()
    return "; ".join(name for (name,) in nearest)


def _as_loaded(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """An existing folder or file by the path under which it was loaded."""
    path = Path(text)
    if not path.exists():
        return text
    rows = connection.execute(
        "select distinct path[:length(path) - length(absolute_path) + length($1)] "
        "from raw.sources where starts_with(absolute_path || '/', $1 || '/')",
        [str(path.absolute())],
    ).fetchall()
    return f"folder:{rows[0][0]}" if len(rows) == 1 else text.rstrip("/")


def _find(
    connection: duckdb.DuckDBPyConnection, known: str, text: str, sought: str = "name"
) -> Subject:
    kind, _, name = text.partition(":") if text.partition(":")[0] in _KINDS else (None, "", text)
    given = {"form": re.sub(r"[\s_.-]+", "", name.lower()), "kind": kind}
    found = (
        connection.execute(_FOUND.format(known=known), given).fetchall() if given["form"] else []
    )
    if len(found) == 1:
        return Subject(*found[0])
    if not found:
        nearest = nearest_names(connection, name, kind, known)
        raise WarehouseError(f"{text}: unknown {sought}; the nearest: {nearest}")
    lines = [f"  {one.kind}:{one.name}" for one in map(Subject._make, found[:_SHOWN])]
    more = [f"  and {len(found) - _SHOWN} more"] * (len(found) > _SHOWN)
    raise WarehouseError(
        "\n".join([f"{text}: ambiguous {sought}; choose one of these:", *lines, *more])
    )
