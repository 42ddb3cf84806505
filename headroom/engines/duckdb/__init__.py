"""dbt's models on DuckDB."""
