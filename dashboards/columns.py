"""How a mart's column shows on a board: its heading and Grafana's unit, by the name's suffix."""

_UNITS = (
    ("runtime_seconds", "suffix: s"),
    ("megabytes_per_second", "MBs"),
    ("bytes_per_second", "Bps"),
    ("_bytes", "bytes"),
    ("iops", "iops"),
    ("_us", "µs"),
    ("_ratio", "percentunit"),
    ("_seconds", "s"),
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
    "latency_mean_us": "mean latency",
    "latency_p50_us": "p50 latency",
    "latency_p99_us": "p99 latency",
    "latency_p999_us": "p99.9 latency",
    "profile_id": "load profile",
    "curve_label": "array and condition",
    "design_label": "controller, RAID level, drive",
    "qualified_iops": "IOPS",
    "qualified_throughput": "throughput",
    "stripe_bytes": "stripe",
    "value_qualifier": "exact or not",
    "runtime_seconds": "runtime",
    "missing_reason": "why there is none",
    "best_measurement_id": "best measurement",
    "baseline_measurement_id": "baseline measurement",
    "subject_measurement_id": "measurement",
    "object_measurement_id": "compared with",
    "document_id": "paper",
    "derived_ratio": "data's ratio",
    "excess_ratio": "observed / expected",
    "source_count": "sources",
    "generation_name": "generation",
    "is_steady_state_attained": "steady state",
    "extra_read_bytes_ratio": "extra bytes read",
    "written_bytes_ratio": "bytes written",
    "newest_own_result_at": "newest own result",
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
    "document_url": "link",
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
# Texts that people read whole, by the pixels they take; other columns share what is left. What
# matters is in sight on 1110 pixels: those that Grafana's menu leaves of 1440.
_WIDTHS = {
    "claim_label": 250, "data_label": 190, "document_url": 200, "baseline_condition": 160,
    "array_label": 220, "marked_label": 210, "design_label": 240, "curve_label": 300,
    "comparison_label": 260, "profile_label": 220, "source_label": 175, "description": 330,
    "reason": 300, "likely_reason": 350, "formula": 300, "missing_reason": 240, "inputs": 260,
    "missing": 200, "missing_limits": 170, "check_id": 390, "subject": 215,
    "document_id": 130, "source": 215, "source_path": 260, "path": 320, "locator": 200,
    "measurement_id": 145, "best_measurement_id": 145, "baseline_measurement_id": 145,
    "subject_measurement_id": 150, "object_measurement_id": 150, "sample_rows": 300, "bound": 150,
    "condition": 160, "note": 600, "is_passed": 75, "severity": 90, "pages": 65, "line": 65,
    "source_position": 140, "name": 220, "drive": 160, "unit": 140, "first_source_path": 400,
    "observed": 110, "as_printed": 110, "series_name": 300, "document_title": 240,
    "controller": 120, "nearest_names": 260, "validity_note": 200,
    "qualified_iops": 150, "qualified_throughput": 150, "evidence": 130,
    "measurements": 120, "measurement_count": 120, "status": 110, "finding_kind": 130, "kind": 120,
    "verdict": 110, "generation_name": 110, "raid_level": 90,
    "binding_ceiling": 100, "next_binding_ceiling": 100,
}  # fmt: skip
# Of these, those that do not break well into several lines.
_UNBROKEN = {
    "check_id", "unit", "is_passed", "severity", "pages", "line", "status", "raid_level", "kind",
    "verdict", "measurements", "measurement_count",
}  # fmt: skip
# Of these, those that take what is left where there is room.
_GROWING = {"reason", "description"}
_SUFFIXES = ("_us", "_bytes_per_second", "_terabytes")
_TIME_PIXELS = 160
# The first column says why there are no rows.
_FIRST_PIXELS = 140


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


def decimals(column: str) -> int | None:
    """How many are shown; as many as the unit asks for without a number here."""
    return 4 if column in ("observed_value", "expected_value", "excess_ratio") else None


def width(column: str, *, is_first: bool) -> int | None:
    """Pixels, of a column that does not take its share of what is left."""
    pixels = _TIME_PIXELS if column.endswith("_at") else _WIDTHS.get(column)
    return max(pixels, _FIRST_PIXELS) if pixels and is_first else pixels


def grows(column: str) -> bool:
    return column in _GROWING


def is_wrapped(column: str) -> bool:
    """Whether the column's text may take several lines."""
    return column in _WIDTHS and column not in _UNBROKEN
