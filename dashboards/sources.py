"""The two files that Grafana reads, and how a panel asks them."""

from grafana_foundation_sdk.cog.builder import Builder
from grafana_foundation_sdk.cog.variants import Dataquery
from grafana_foundation_sdk.models import common

from dashboards.marts import Query

_PLUGIN = "motherduck-duckdb-datasource"
WAREHOUSE = common.DataSourceRef(type_val=_PLUGIN, uid="headroom")
# The nights have a file of their own: it is published even when a night's numbers are not.
NIGHTS = common.DataSourceRef(type_val=_PLUGIN, uid="headroom-nights")
_TABLE_FORMAT = 1


def datasource_of(query: Query) -> common.DataSourceRef:
    return {"marts": WAREHOUSE, "quality": NIGHTS}[query.rows.schema]


class Target(Builder[Dataquery], Dataquery):
    """A target of the DuckDB data source, which the SDK does not know."""

    def __init__(self, sql: str, datasource: common.DataSourceRef) -> None:
        self._target = {
            "refId": "A",
            "datasource": datasource,
            "editorMode": "code",
            "rawQuery": True,
            "format": _TABLE_FORMAT,
            "rawSql": sql,
        }

    def build(self) -> Dataquery:
        return self

    def to_json(self) -> dict[str, object]:
        return self._target
