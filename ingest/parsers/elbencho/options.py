"""The settings of a load in elbencho's command line (ProgArgs.cpp, `defineAllowedArgs`)."""

import re
from collections.abc import Mapping

from ingest.parsers.values import prefix_factor

Options = Mapping[str, str]
"""By long name; "true" for a switch, "" has the paths. Empty if there is no command line."""

_SHORT = {"b": "block", "t": "threads", "s": "size", "n": "dirs", "N": "files", "i": "iterations",
          "c": "configfile"}  # fmt: skip
_VALUED = {*_SHORT.values(), "iodepth", "hosts", "hostsfile", "numhosts", "limitread", "limitwrite",
           "timelimit", "label", "treefile", "verify", "flock", "csvfile", "livecsv", "resfile",
           "jsonfile", "livejson", "liveint", "rwmixpct", "rwmixthr", "rwmixthrpct", "blockvarpct",
           "blockvaralgo", "randalgo", "randamount", "latpercent9s", "cores", "zones", "gpuids",
           "fadv", "madv", "log", "start", "phasedelay", "svcupint", "opslog"}  # fmt: skip
_SHORT_SWITCHES = "wrdDF"
_SWITCHES = {"write", "read", "mkdirs", "delfiles", "deldirs", "direct", "rand", "nolive", "live1",
             "lat", "latpercent", "lathisto", "cpu", "sync", "dropcache", "trunc", "trunctosize",
             "infloop", "strided", "backward", "norandalign", "dirsharing", "allelapsed", "stat",
             "statinline", "readinline", "nodelerr", "base10", "nosvcshare", "livecsvex", "gds",
             "cufile", "mmap", "preallocfile", "svcelapsed", "nodiocheck"}  # fmt: skip
_TOKEN = re.compile(r'"([^"]*)"')
_SIZE = re.compile(r"(\d{1,18})([KMGTPE]?)", re.IGNORECASE | re.ASCII)
_CONDITIONS = ("strided", "backward", "readinline", "statinline", "verify", "verifydirect", "flock",
               "treefile", "treescan")  # fmt: skip
_OFF = ("false", "no", "off")  # --direct=false overrides a configuration file


def read_command(command: str) -> Options:
    """The options of a command line, each argument in quotes, as elbencho prints it."""
    options: dict[str, str] = {}
    paths: list[str] | None = None  # unknown after an option that may have a value
    tokens = iter(_TOKEN.findall(command))
    for token in tokens:
        if token.startswith("--"):
            name, equals, value = token[2:].partition("=")
            is_valued = name in _VALUED and not equals
            options[name] = next(tokens, "") if is_valued else value or "true"
            paths = [] if equals or is_valued or name in _SWITCHES else None
        elif token.startswith("-"):
            # Switches may stand before an option and its value: -wrb4k.
            rest = token[1:].lstrip(_SHORT_SWITCHES)
            if name := _SHORT.get(rest[:1], ""):
                options[name] = rest[1:] or next(tokens, "")
            paths = []
        elif paths is not None:
            paths.append(token)
    given = {name: value for name, value in options.items() if value not in _OFF}
    return given | {"": " ".join(paths or ())} if command else {}


def bytes_of(size: str | None) -> int | None:
    """4k is 4096 (UnitTk.cpp, `numHumanToBytesBinary`)."""
    match = _SIZE.fullmatch(size or "")
    if match is None:
        return None
    count = int(match[1]) * prefix_factor(match[2])
    return count if count < 1 << 63 else None


def is_whole(options: Options) -> bool:
    """Whether omitted options have their documented defaults: a configuration file may set them."""
    return bool(options) and "configfile" not in options


def profile_cells(options: Options) -> dict[str, str]:
    """The columns of the CSV that the text lacks."""
    if not options:
        return {}
    off, one, megabyte = ("0", "1", "1M") if is_whole(options) else ("", "", "")
    size, block = bytes_of(options.get("size")), bytes_of(options.get("block", megabyte))
    if block and size and "treefile" not in options:
        block = min(block, size)  # checkPathDependentArgs
    return {
        "threads": options.get("threads", one),
        "hosts": _host_count(options, one),
        "io depth": options.get("iodepth", one),
        "file size": str(size or ""),
        "block size": str(block or ""),
        "direct io": "1" if {"direct", "gds", "cufile"} & options.keys() else off,
        "random": "1" if "rand" in options else off,
        "random aligned": "0" if "norandalign" in options else "",
    }


def _host_count(options: Options, default: str) -> str:
    """Ranges in brackets and host files are not counted."""
    if {"hostsfile", "numhosts"} & options.keys() or "[" in options.get("hosts", ""):
        return ""
    return str(len(re.findall(r"[^,\s]+", options.get("hosts", ""))) or default)


def conditions(options: Options) -> list[str]:
    given = [name for name in _CONDITIONS if name in options]
    return [name if options[name] == "true" else f"{name} {options[name]}" for name in given]


def rate_limit(options: Options) -> str | None:
    names = [name for name in ("limitread", "limitwrite") if options.get(name, "0") != "0"]
    limits = [f"{name} {options[name]} bytes/s per thread" for name in names]
    return ", ".join(limits) or None


def time_limit(options: Options) -> float | None:
    text = options.get("timelimit", "")
    return float(text) or None if re.fullmatch(r"[0-9]{1,9}", text) else None


def io_engine(options: Options, path_type: str, depth: int | None) -> str | None:
    if path_type in ("bucket", "object", "hdfs"):
        return "hdfs" if path_type == "hdfs" else "s3"
    for name, engine in (("mmap", "mmap"), ("cufile", "cufile"), ("gds", "cufile")):
        if name in options:
            return engine
    if depth and depth > 1:
        return "libaio"
    return "sync" if depth == 1 and is_whole(options) else None
