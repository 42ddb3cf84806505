"""fio's job files beside results: they have options that a result may lack.

Format: fio's init.c __parse_jobs_ini and add_job. Only the options that the models read are kept.
A file whose options are not fixed (`include`, `${SIZE}`, `$ncpus`), or that changes what a size
means (`kb_base`), is not used.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ingest.common.errors import InputError
from ingest.common.paths import printable
from ingest.common.text_files import read_text
from ingest.find.links import AllowedLinks

SUFFIX = ".fio"
_ALIASES = {
    "readwrite": "rw",
    "blocksize": "bs",
    "blocksize_range": "bsrange",
    "timeout": "runtime",
    "wait_for_previous": "stonewall",
}
_OPTIONS = {
    "rw", "bs", "bsrange", "bssplit", "rwmixread", "rwmixwrite", "percentage_random",
    "random_distribution", "ioengine", "iodepth", "numjobs", "thinktime", "direct", "buffered",
    "size", "runtime", "time_based", "ramp_time", "rate", "rate_iops", "latency_target", "verify",
    "exitall", "cpus_allowed", "group_reporting",
}  # fmt: skip
_GROUPING = ("stonewall", "new_group")
_SECTION = re.compile(r"\[([^\]]{1,255})\]")
_LONGEST = 256 << 10  # each source in the folder stores a copy
Job = dict[str, Any]


def read_job_files(folder: str, links: AllowedLinks) -> str | None:
    """The jobs of all job files in a folder as JSON: file, job, group and options of each.

    None if there are none, or too many.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
    except OSError:  # inside of a packed file
        return None
    jobs = [job for name in names for job in _read(Path(folder) / name, links)]
    found = msgspec.json.encode(jobs).decode()
    return found if jobs and len(found) < _LONGEST else None


def _read(path: Path, links: AllowedLinks) -> list[Job]:
    if links.refuse(path):
        return []
    try:
        jobs = [*jobs_in(read_text(path, 1, "split it"))]
    except (InputError, ValueError):  # not a job file, despite its name
        return []
    return [{"file": printable(path.name), **job} for job in jobs]


def jobs_in(text: str) -> Iterator[Job]:
    """The jobs of a job file, in its order; `group` is fio's `groupid`.

    Raises:
        ValueError: it is not a job file, or has `include`, `kb_base` or a `$` in a known option.
    """
    shared: dict[str, str] = {}
    group = group_size = 0
    for name, options in _sections(text):
        if name.startswith("global"):
            shared |= options
            continue
        own = shared | options
        if group_size and any(one in own for one in _GROUPING):
            group, group_size = group + 1, 0
        group_size += 1
        yield {
            "job": printable(own.get("name", name)),
            "group": group,
            "options": {key: value for key, value in own.items() if key in _OPTIONS},
        }


def _sections(text: str) -> list[tuple[str, dict[str, str]]]:
    sections: list[tuple[str, dict[str, str]]] = []
    for line in map(str.strip, text.splitlines()):
        if not line or line[0] in "#;":
            continue
        if found := _SECTION.fullmatch(line):
            sections.append((found[1], {}))
            continue
        name, _, value = (part.strip() for part in line.partition("="))
        name = _ALIASES.get(name, name)
        if not sections or name.startswith(("include", "kb_base")):
            raise ValueError(line)
        if name in _OPTIONS and "$" in value:
            raise ValueError(line)
        sections[-1][1][name] = value
    return sections
