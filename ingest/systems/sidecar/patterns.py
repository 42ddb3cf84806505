"""Patterns of `files:` entries: a glob or a regular expression on the path.

The path is the file's below the sidecar's folder, with `/` on every system. Regular expressions are
RE2's, which takes time linear in the path: a hostile `(a+)+x` cannot hang a night.
"""

import re
from functools import lru_cache
from typing import Any

import re2
from wcmatch import glob as wildcards

_FLAGS = wildcards.GLOBSTAR | wildcards.DOTGLOB | wildcards.FORCEUNIX
_MOST_FOLDERS = 4  # each further one makes a near match of a deep path take ten times as long
_LONGEST = 1000
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # it would write them to stderr
Pattern = Any  # re2 has no types; its patterns are used like re's


@lru_cache(maxsize=4096)
def compile_glob(glob: str) -> Pattern:
    """`*` and `?` stay in a folder, `**` stands for folders; without `/` it matches the file name.

    Raises:
        ValueError: `**` inside of a name or too often, or too long a pattern.
    """
    _refuse_long(glob)
    anchored = glob.removeprefix("./").removeprefix("/") if "/" in glob else f"**/{glob}"
    parts = anchored.split("/")
    if any("**" in part and part != "**" for part in parts) or parts.count("**") > _MOST_FOLDERS:
        remedy = f"write it between slashes (raid5/**/*.json), at most {_MOST_FOLDERS} times"
        raise ValueError(f"{glob!r} is not valid: ** stands for folders; {remedy}")
    ((found,), _) = wildcards.translate(anchored, flags=_FLAGS)
    return re.compile(rf"(?:{found})\Z")  # its own `$` would allow a newline after the name


@lru_cache(maxsize=4096)
def compile_regex(regex: str) -> Pattern:
    """A regular expression in RE2's syntax, which is Python's without lookaround and references.

    Raises:
        ValueError: it is not valid, or too long or large.
    """
    _refuse_long(regex)
    try:
        return re2.compile(regex, _OPTIONS)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace")
        remedy = "correct it, or write a glob; lookaround, \\1 and \\Z are not supported"
        raise ValueError(f"{regex!r} is not valid: {reason}; {remedy}") from error


def readable(path: str) -> str:
    """The path as RE2 accepts it: undecodable bytes of a name become `?`."""
    return path if path.isascii() else path.encode(errors="replace").decode()


def _refuse_long(pattern: str) -> None:
    if len(pattern) > _LONGEST:
        raise ValueError(f"is longer than {_LONGEST} characters: split it into several entries")
