"""What tells an Iometer file: its first line, or a results header that another program cut out."""

import re

# How a file of Iometer's begins; `'` may be lost, quotes may be added. What only quotes such a line
# further down, as the output of a test suite does, is no result.
_HEAD = re.compile(
    r"""\A\ufeff?\s*["']{0,2}(?:Test\ Type"?[,;]"?Test\ Description
    |Iometer\ Output\ File
    |(?:TimeStamp"?[,;])?["']{0,2}Target\ Type"?[,;]"?Target\ Name"?[,;]"?Access\ Spec)""",
    re.VERBOSE,
)


def matches(head: str) -> bool:
    return bool(_HEAD.search(head))
