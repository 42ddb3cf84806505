"""What tells an Iometer file: its first lines, or a results header that another program cut out."""

import re

# What a file of Iometer's has among its first lines; `'` may be lost, quotes may be added.
_HEAD = re.compile(
    r"""^["']{0,2}(?:Test\ Type"?[,;]"?Test\ Description
    |Iometer\ Output\ File
    |(?:TimeStamp"?[,;])?["']{0,2}Target\ Type"?[,;]"?Target\ Name"?[,;]"?Access\ Spec)""",
    re.MULTILINE | re.VERBOSE,
)
_WORDS = ("Test Type", "Target Type", "Iometer Output File")  # one is in whatever _HEAD matches


def matches(head: str) -> bool:
    return any(words in head for words in _WORDS) and bool(_HEAD.search(head))
