"""Formats that are known and not read, by their heads: so that the quarantine says what to do."""

import re

_AS_JSON = "run fio with --output-format=json"
_NO_PARSER = "there is no parser for it"
_NO_RESULT = "name it in .headroomignore"
# What it is, what to do, and how it begins or what is among its first lines.
_FORMATS = (
    ("fio's terse output", _AS_JSON, r"^[2-5];fio-\d"),
    ("fio's normal output", _AS_JSON, r"^.+: \(g=\d+\): rw=|^ +(?:read|write|trim): IOPS="),
    ("a fio job file, not its result", _NO_RESULT,
     r"\A(?:[ \t\r]*(?:[#;].*)?\n)*\[[^\]\n]+\][ \t\r]*\n"
     r"(?:.*\n)*?(?:rw|readwrite|ioengine|bs|filename)[ \t]*="),
    ("a result of vdbench", _NO_PARSER,
     r"^[^\w\n]{0,9}(?:title>)?Vdbench (?:summary|totals|flatfile)|\bVdbench distribution:"
     r"|^\* '(?:flatfile|totals)\.html' contains Vdbench"
     r"|\A\W?date\W{1,3}Run\W{1,3}Interval\W{1,3}reqrate\b"),
    ("a parameter file of vdbench, not its result", _NO_RESULT, r"^[sw]d=\w+,[\s\S]*^rd=\w+,"),
    ("a result of elbencho", _NO_PARSER,
     r"^\W?ISO DATE\W{1,3}LABEL\b|^OPERATION +RESULT TYPE +FIRST DONE"
     r"|\A\W?Label\W{1,3}Phase\W{1,3}RuntimeMS\b"),
    ("a result of bonnie++", _NO_PARSER,
     r"^Version +[\d.]+\w? +-+Sequential Output|^1\.9\d\w?,[12]\.\d\d\w?,"),
    ("a result of CrystalDiskMark", _NO_PARSER, r"^CrystalDiskMark \d"),
    ("a result of DiskSpd", _NO_PARSER,
     r"^Command Line: .*diskspd|^Input parameters:\s+timespan: +\d+\s+-{5}"
     r"|\A(?:<\?xml[^>]*>)?\s*<Results>\s*<System>\s*<ComputerName>"),
    ("a result of IOzone", _NO_PARSER, r"^[ \t]*Iozone: Performance Test of File I/O"),
)  # fmt: skip
_PATTERNS = [
    (f"is {what}: {remedy}", re.compile(pattern, re.MULTILINE | re.IGNORECASE))
    for what, remedy, pattern in _FORMATS
]


def reason_of(head: bytes) -> str | None:
    """What a content is and what to do about it; None where that is not known."""
    is_utf_16 = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = head.decode("utf-16" if is_utf_16 else "utf-8", errors="replace").lstrip("\ufeff")
    return next((reason for reason, pattern in _PATTERNS if pattern.search(text)), None)
