"""Lets Great Expectations talk SQL to DuckDB.

GX hands its connection back to the pool before it fetches, and a duckdb-engine cursor is the
connection itself: the pool's rollback drops the rows. Here every cursor is a DuckDB cursor of its
own. Importing the module registers the dialect.
"""

from typing import Any

from duckdb_engine import ConnectionWrapper, CursorWrapper, Dialect
from sqlalchemy.dialects import registry


class _Connection(ConnectionWrapper):  # type: ignore[misc]
    def cursor(self) -> CursorWrapper:
        return CursorWrapper(self._ConnectionWrapper__c.cursor(), self)


class GreatExpectationsDialect(Dialect):  # type: ignore[misc]
    supports_statement_cache = False

    def connect(self, *arguments: Any, **keywords: Any) -> _Connection:
        return _Connection(super().connect(*arguments, **keywords)._ConnectionWrapper__c)


registry.register("duckdb", __name__, "GreatExpectationsDialect")
