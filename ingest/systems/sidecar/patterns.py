"""Which files an entry of `files:` is about: a glob or a regular expression on the path.

The path is the file's below the sidecar's folder, with `/` on every system.
"""

import re

from wcmatch import glob as wildcards

_FLAGS = wildcards.GLOBSTAR | wildcards.DOTGLOB | wildcards.FORCEUNIX
_MOST_FOLDERS = 4  # each more makes a deep path that nearly matches take ten times as long


def compile_pattern(glob: str | None, regex: str | None) -> re.Pattern[str]:
    """A pattern to be searched in the path.

    Raises:
        ValueError: both, none, or one that is no pattern.
    """
    if (glob is None) == (regex is None):
        raise ValueError("needs a glob or a regex, and not both")
    try:
        return re.compile(_glob_regex(glob) if glob is not None else str(regex))
    except re.error as error:
        raise ValueError(f"regex {regex!r} is none: {error}; mend it, or write a glob") from error


def _glob_regex(glob: str) -> str:
    """`*` and `?` stay in a folder, `**` stands for folders; without `/` it is of the name."""
    anchored = glob.removeprefix("./").removeprefix("/") if "/" in glob else f"**/{glob}"
    parts = anchored.split("/")
    if any("**" in part and part != "**" for part in parts) or parts.count("**") > _MOST_FOLDERS:
        remedy = f"write it between slashes (raid5/**/*.json), at most {_MOST_FOLDERS} times"
        raise ValueError(f"glob {glob!r} is none: ** stands for folders; {remedy}")
    ((found,), _) = wildcards.translate(anchored, flags=_FLAGS)
    return rf"(?:{found})\Z"  # its own `$` would take a newline after the name
