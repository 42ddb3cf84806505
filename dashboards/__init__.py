"""Grafana boards as code: `python -m dashboards` writes their JSON and dbt's exposures of them."""
