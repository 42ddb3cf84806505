"""Builds the dbt models on Trino and Iceberg instead of in DuckDB (docs/trino.md)."""
