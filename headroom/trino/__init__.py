"""The dbt models on Trino: their SQL is DuckDB's, translated when it is built (docs/trino.md)."""
