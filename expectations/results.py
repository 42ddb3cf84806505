"""The columns of check results, without Great Expectations, which is slow to import."""

import polars as pl

CHECK_RESULTS: dict[str, pl.DataType] = {
    "check_id": pl.String(),
    "table_name": pl.String(),
    "description": pl.String(),
    "severity": pl.String(),
    "is_passed": pl.Boolean(),
    "observed": pl.String(),
    "failing_row_count": pl.Int64(),
    "sample_rows": pl.String(),
    "bound": pl.String(),
    "checked_at": pl.Datetime("us"),
}
