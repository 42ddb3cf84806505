"""An SQLAlchemy dialect that lets Great Expectations query DuckDB; importing it registers it.

GX returns its connection to the pool before it fetches, and the pool's rollback drops the rows of
duckdb-engine's cursors, which are the connection itself. Here each cursor is separate.
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
