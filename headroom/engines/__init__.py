"""Engines that build the models: DuckDB and Trino."""
