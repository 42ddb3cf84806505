"""Recognises a log of fio by its first line, or an empty one by its name."""

import re

NUMBER = r"([0-9]{1,18})"
LINE = re.compile(
    rf"{NUMBER}, ?{NUMBER}, ?([012]), ?{NUMBER}(?:, ?{NUMBER})?(?:, ?(?:0x)?[0-9a-f]+){{0,2}}"
)
FILE_NAME = re.compile(r".+_(bw|iops|lat|clat|slat|clat_hist)(\.\d+)?\.log")
_HISTOGRAM_START = re.compile(rf"{NUMBER}, ?[012], ?{NUMBER}(?:, ?[0-9]{{1,20}}){{16}}")


def matches(head: str) -> bool:
    if not head[:1].isdigit():
        return False
    line = head.splitlines()[0]
    return LINE.fullmatch(line) is not None or _HISTOGRAM_START.match(line) is not None


def is_log_name(name: str) -> bool:
    return FILE_NAME.fullmatch(name) is not None
