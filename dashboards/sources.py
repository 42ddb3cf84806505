"""Grafana's two data sources and a panel's query of one."""

from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models import common

from dashboards.marts import Query

_PLUGIN = "motherduck-duckdb-datasource"
WAREHOUSE = common.DataSourceRef(type_val=_PLUGIN, uid="headroom")
# nights.duckdb is published even if a night is held back.
NIGHTS = common.DataSourceRef(type_val=_PLUGIN, uid="headroom-nights")
TABLE, TIME_SERIES = 1, 0


def datasource_of(query: Query) -> common.DataSourceRef:
    return {"marts": WAREHOUSE, "quality": NIGHTS}[query.rows.schema]


class Target(Builder[Dataquery], Dataquery):
    """A query of the DuckDB data source, which the SDK does not have."""

    def __init__(self, sql: str, datasource: common.DataSourceRef, format_of_rows: int) -> None:
        self._target = {
            "refId": "A",
            "datasource": datasource,
            "editorMode": "code",
            "rawQuery": True,
            "format": format_of_rows,
            "rawSql": sql,
        }

    def build(self) -> Dataquery:
        return self

    def to_json(self) -> dict[str, object]:
        return self._target
