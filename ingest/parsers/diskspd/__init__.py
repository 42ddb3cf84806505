"""DiskSpd's results as text and as XML (-Rxml), of versions 2.0.11 to 2.2, and the text of DiskSpd
for Linux (result_formatter.cc), whose timespans are called jobs and whose MB/s are also MiB/s.

Format: DiskSpd's ResultParser.cpp (ParseResults, _PrintTarget, _PrintTimeSpan, _PrintSection,
_PrintLatencyChart), XmlResultParser.cpp (ParseResults), Common.cpp (Target::GetXml,
TimeSpan::GetXml), SystemInformation (GetText, GetXml). `MB/s` of 2.0.11 to 2.0.17 are MiB/s: the
code divides by 1024 twice, and 2.0.18 only renamed the column.

A timespan is a measurement: the totals of all threads and targets, without warm-up and cool-down.
IOPS are the printed ones of `Total IO`; in XML, which has no totals, I/Os of all threads over
`TestTimeSeconds`. Throughput is bytes per I/O times IOPS, because `MiB/s` has two decimals only.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.common.errors import InputError
from ingest.parsers import generic
from ingest.parsers.diskspd import text_results, xml_results
from ingest.parsers.diskspd.measured import Measured
from ingest.parsers.generic import Result, Sample
from ingest.parsers.texts import decoded, pieces

NAME = "diskspd"
VERSION = 2
TABLES = generic.TABLES
_START = re.compile(rf"{text_results.START}|{xml_results.START}", re.MULTILINE)
_PROFILE_ONLY = re.compile(r"\s*Command Line: .*[ \t][-/]Rp")


def matches(head: str) -> bool:
    head = head.replace("\0", "")  # UTF-16 without a byte order mark
    if "Input parameters:" not in head and "<ComputerName>" not in head:
        return False
    return any(not _PROFILE_ONLY.match(one[0]) for one in _START.finditer(head))


def parse(path: Path, data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    """Read the timespans of each run of a file; many files have several runs appended.

    Raises:
        InputError: no timespan can be read.
    """
    found = list(_runs(_decode(data)))
    unread = [one for one in found if one.is_unread]
    if len(unread) == len(found):
        reason = unread[0].fields["fault"] if unread else "has no results"
        raise InputError(path, f"{reason}: restore the whole file, or run the test again",
                         line=unread[0].line if unread else None)  # fmt: skip
    results = (Result(tool_name="DiskSpd", **one.fields) for one in found)
    samples = (
        Sample(result_index=index, **sample)
        for index, one in enumerate(found)
        for sample in one.samples
    )
    return generic.rows(results, samples)


def _decode(data: bytes) -> str:
    """Target names are in the host's code page; PowerShell's `>` converts all text to UTF-16, which
    is decoded here if it has no byte order mark."""
    if b"\0" in data[:4]:
        order = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
        text = data.decode(order, errors="replace")
    else:
        text = decoded(data)
    return text.replace("\r\n", "\n")


def _runs(text: str) -> Iterator[Measured]:
    found = [one for one in pieces(_START, text) if not _PROFILE_ONLY.match(one[1][0])]
    for line, start, rest in found:
        is_xml = start[0].lstrip().startswith("<")
        read = xml_results.read if is_xml else text_results.read
        for one in read(start[0] + rest, line):
            if len(found) > 1:
                one.fields["position"] = f"line {line} {one.fields['position']}"
            yield one
