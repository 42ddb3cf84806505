"""How a mart's column shows on a board: its heading and Grafana's unit, by the name's suffix."""

_UNITS = (
    ("bytes_per_second", "Bps"),
    ("_bytes", "bytes"),
    ("iops", "iops"),
    ("_us", "µs"),
    ("_ratio", "percentunit"),
    ("_seconds", "s"),
    ("megabytes_per_second", "MBs"),
    ("_terabytes", "dectbytes"),
    ("_hertz", "hertz"),
    ("_at", "dateTimeAsIso"),
    ("_date", "dateTimeAsIsoNoDateIfToday"),
)
# A ratio of one thing to another is shown as a factor; a share of a whole as percents.
_FACTORS = {
    "ratio", "upgrade_ratio", "measured_ratio", "theoretical_ratio", "excess_ratio",
    "iops_ratio", "throughput_ratio", "latency_ratio", "derived_ratio",
}  # fmt: skip
_HEADINGS = {
    "iops": "IOPS",
    "raid_level": "RAID level",
    "array_label": "array",
    "marked_label": "array",
    "profile_label": "load profile",
    "source_label": "source",
    "attained_ratio": "of ceiling",
    "outstanding_io_count": "outstanding I/Os",
    "commissioned_by": "paid for by",
    "measurement_id": "measurement",
}
_SUFFIXES = ("_us", "_bytes_per_second", "_terabytes")


def unit(column: str) -> str:
    """Grafana's id of the column's unit; 'none' for plain numbers and texts."""
    if column in _FACTORS:
        return "suffix: ×"
    return next((unit for suffix, unit in _UNITS if column.endswith(suffix)), "none")


def heading(column: str) -> str:
    """The column for people, without the unit that its values show."""
    if column in _HEADINGS:
        return _HEADINGS[column]
    words = column
    for suffix in _SUFFIXES:
        words = words.removesuffix(suffix)
    return words.replace("_io_count", " I/Os").replace("_", " ").replace("iops", "IOPS")
