"""`uname -a`, /etc/os-release, `grep . /sys/class/dmi/id/*`, the line MemTotal of /proc/meminfo and
the hypervisor, if there is one."""

import re
from collections.abc import Iterable, Iterator

from ingest.systems.describe.facts import Fact, Input, facts_of
from ingest.systems.describe.target import Target

COMMAND = "uname -a"
_LINE = re.compile(
    r"^(?:Linux \S+ (?P<kernel>\S+) |PRETTY_NAME=[\"']?(?P<name>[^\"'\n]*)|fio-|"
    r"/sys/class/dmi/id/(?P<dmi>\w+):(?P<value>.*)|"
    r"MemTotal: +(?P<memory>\d{1,15}) kB|virtual machine: (?P<hypervisor>.*))",
    re.MULTILINE,
)
# Placeholders that board makers leave in the DMI's fields.
_PLACEHOLDER = re.compile(
    r"to be filled|o\.?e\.?m\.?$|^system (product|manufacturer|version|name)|default string|"
    r"^(none|unknown|undefined|invalid|empty|not (specified|applicable|available)|n/?a|x+|[0.]*)$",
    re.IGNORECASE,
)


def read(inputs: list[Input], tested: Target) -> Iterator[Fact]:
    for one in inputs:
        found = [*_LINE.finditer(one.text)]
        if not found:
            raise one.unexpected("describes no machine", COMMAND)
        dmi = {line["dmi"]: line["value"].strip() for line in found if line["dmi"]}
        values = {
            "os_kernel": next((line["kernel"] for line in found if line["kernel"]), None),
            "os_name": next((line["name"] for line in found if line["name"]), None),
            "bios_version": _real(dmi.get("bios_version")),
            "server": _server(dmi),
            "memory": next((f"{line['memory']} kB" for line in found if line["memory"]), None),
        }
        yield from facts_of("array", one.source, values)


def hypervisor(inputs: Iterable[Input]) -> str | None:
    """The hypervisor; None on hardware, or without an input that names it."""
    lines = (line for one in inputs if one.kind == "machine" for line in _LINE.finditer(one.text))
    names = [line["hypervisor"].strip() for line in lines if line["hypervisor"]]
    return next((name for name in names if name != "none"), None)


def _server(dmi: dict[str, str]) -> str | None:
    vendor, product = _real(dmi.get("sys_vendor")), _real(dmi.get("product_name"))
    if not product or not vendor or product.lower().startswith(vendor.lower()):
        return product
    return f"{vendor} {product}"


def _real(text: str | None) -> str | None:
    return None if text is None or _PLACEHOLDER.search(text) else text
