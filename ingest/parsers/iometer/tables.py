"""The raw tables: one for each kind of part of a file. `line` is a row's key in its file.

`..._index` counts within the file, from 0; `manager_index` and `worker_index` within the block.
`ambiguous` has the cells without a usable number, as printed: -1 and 2^64 - 1 if workers differ.
"""

import polars as pl

from ingest.parsers.iometer.columns import NUMBERS

_INT, _FLOAT, _TEXT, _BOOL = pl.Int64(), pl.Float64(), pl.String(), pl.Boolean()
_ROW: dict[str, pl.DataType] = {
    "line": _INT,
    "block_index": _INT,
    "row_type": _TEXT,
    "manager_index": _INT,
    "worker_index": _INT,
    "target_name": _TEXT,
    "access_spec_name": _TEXT,
    "access_spec_index": _INT,
    **NUMBERS,
    "ambiguous": _TEXT,
}
TABLES: dict[str, dict[str, pl.DataType]] = {
    "iometer_sessions": {
        "session_index": _INT,
        "line": _INT,
        "writer": _TEXT,
        "iometer_version": _TEXT,
        "test_type": _INT,
        "test_description": _TEXT,
        "started_at_printed": _TEXT,
        "started_at_local": pl.Datetime("us"),
        "has_end_test": _BOOL,
        "is_truncated": _BOOL,
        "encoding": _TEXT,
        "delimiter": _TEXT,
    },
    "iometer_access_specs": {
        "access_spec_index": _INT,
        "mix_index": _INT,
        "line": _INT,
        "session_index": _INT,
        "group_index": _INT,
        "access_spec_name": _TEXT,
        "default_assignment": _INT,
        "size_bytes": _INT,
        "size_percent": _INT,
        "read_percent": _INT,
        "random_percent": _INT,
        "delay_ms": _INT,
        "burst_count": _INT,
        "align_bytes": _INT,
        "reply_bytes": _INT,
    },
    "iometer_blocks": {
        "block_index": _INT,
        "line": _INT,
        "session_index": _INT,
        "group_index": _INT,
        "header": _TEXT,
        "ended_at_printed": _TEXT,
        "ended_at_local": pl.Datetime("us"),
        "is_complete": _BOOL,
        "incomplete_reason": _TEXT,
    },
    "iometer_results": _ROW,
    "iometer_updates": {
        "printed_at": _TEXT,
        "printed_at_local": pl.Datetime("us"),
        "row_kind": _TEXT,
        **_ROW,
    },
    "iometer_latency_bins": {
        "line": _INT,
        "bin_index": _INT,
        "lower_us": _FLOAT,
        "upper_us": _FLOAT,
        "io_count": _INT,
    },
    "iometer_notes": {"line": _INT, "kind": _TEXT, "text": _TEXT},
}
