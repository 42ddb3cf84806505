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
    ("ed_value", "sishort"),
)
# A ratio of one thing to another is shown as a factor; a share of a whole as percents.
_FACTORS = {
    "ratio", "upgrade_ratio", "excess_ratio",
    "derived_ratio", "written_bytes_ratio",
    "extra_read_bytes_ratio",
}  # fmt: skip
_HEADINGS = {
    "iops": "IOPS",
    "bytes_per_second": "throughput",
    "raid_level": "RAID level",
    "array_label": "array",
    "marked_label": "array",
    "profile_label": "load profile",
    "source_label": "source",
    "attained_ratio": "of ceiling",
    "outstanding_io_count": "outstanding I/Os",
    "commissioned_by": "paid for by",
    "claim_label": "claim",
    "data_label": "data says",
    "comparison_label": "array and load",
    "document_url": "paper",
    "measurement_id": "measurement",
    "check_passed_count": "checks passed",
    "check_failed_count": "checks failed",
    "file_loaded_count": "files loaded",
    "file_unchanged_count": "files unchanged",
    "file_quarantined_count": "files quarantined",
    "io_engine": "I/O engine",
    "missing_limits": "limits not known",
    "drive_count": "drives",
    "worker_count": "workers",
    "measurement_count": "measurements",
    "failing_row_count": "failing rows",
    "random_write_operation_count": "operations per random write",
    "copy_count": "copies",
    "parity_drive_count": "parity drives",
    "min_drive_count": "drives at least",
}
# Texts that people read whole, by the pixels they take; other columns share what is left.
_WIDTHS = {
    "claim_label": 420, "data_label": 260, "document_url": 260, "baseline_condition": 220,
    "array_label": 300, "marked_label": 300, "design_label": 300, "curve_label": 380,
    "comparison_label": 380, "profile_label": 340, "source_label": 360, "description": 330,
    "reason": 420, "likely_reason": 420, "formula": 420, "missing_reason": 360, "inputs": 360,
    "missing": 320, "missing_limits": 320, "check_id": 410, "subject": 260,
    "document_id": 220, "source": 230, "source_path": 320, "path": 320, "locator": 300,
    "measurement_id": 250, "best_measurement_id": 250, "baseline_measurement_id": 250,
    "subject_measurement_id": 250, "object_measurement_id": 250, "sample_rows": 400, "bound": 200,
    "condition": 220, "note": 700, "is_passed": 90, "severity": 100, "pages": 80, "line": 80,
    "source_position": 200, "name": 220, "drive": 180, "unit": 145, "first_source_path": 320,
    "observed": 160, "as_printed": 180, "series_name": 360, "document_title": 380,
}  # fmt: skip
# Of these, texts that may take several lines; ids and paths do not break well.
_PROSE = {
    "claim_label", "data_label", "condition", "baseline_condition", "source_label", "note",
    "description", "reason", "likely_reason", "formula", "missing_reason", "missing",
    "profile_label", "comparison_label", "curve_label", "locator", "document_title", "as_printed",
}  # fmt: skip
_SUFFIXES = ("_us", "_bytes_per_second", "_terabytes")
_TIME_PIXELS = 165


def unit(column: str) -> str:
    """Grafana's id of the column's unit; 'none' for plain numbers and texts."""
    if column in _FACTORS:
        return "suffix: ×"
    return next((unit for suffix, unit in _UNITS if column.endswith(suffix)), "none")


def heading(column: str) -> str:
    """The column for people, without the unit that its values show."""
    if column in _HEADINGS:
        return _HEADINGS[column]
    words = column.removeprefix("is_")
    for suffix in _SUFFIXES:
        words = words.removesuffix(suffix)
    return words.replace("_io_count", " I/Os").replace("_", " ").replace("iops", "IOPS")


def width(column: str) -> int | None:
    """Pixels, of a column that does not take its share of what is left."""
    return _TIME_PIXELS if column.endswith("_at") else _WIDTHS.get(column)


def is_prose(column: str) -> bool:
    return column in _PROSE
