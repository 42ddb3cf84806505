"""Which files an entry of `files:` is about: a glob or a regular expression on the path.

The path is the file's below the sidecar's folder, with `/` on every system.
"""

import re

_WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_WILDCARD = re.compile(r"(\*\*/|\*\*|\*|\?|\[!?[^\]]+\])")


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
        kind, text = ("glob", glob) if glob is not None else ("regex", regex)
        raise ValueError(f"{kind} {text!r} is none: {error}; mend it, or write a glob") from error


def _glob_regex(glob: str) -> str:
    """`*` and `?` stay in a folder, `**` goes through folders; without `/` it is of the name."""
    anchored = glob.removeprefix("./").removeprefix("/") if "/" in glob else f"**/{glob}"
    return r"\A" + "".join(_part_regex(part) for part in _WILDCARD.split(anchored)) + r"\Z"


def _part_regex(part: str) -> str:
    if part in _WILDCARDS:
        return _WILDCARDS[part]
    if _WILDCARD.fullmatch(part):
        return part.replace("[!", "[^", 1)
    return re.escape(part)
