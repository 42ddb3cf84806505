"""DuckDB's types as sqlglot reads them, and the matching types of Trino."""

from duckdb.sqltypes import DuckDBPyType
from sqlglot import exp

_KIND = exp.DType
TEXTS = {_KIND.TEXT, _KIND.VARCHAR, _KIND.CHAR}
DOUBLES = {_KIND.DOUBLE, _KIND.FLOAT}
TIMES = {_KIND.TIMESTAMP, _KIND.TIMESTAMPNTZ, _KIND.DATETIME}
LISTS = {_KIND.ARRAY, _KIND.LIST}
STRUCTS = {_KIND.STRUCT}
_NAMES = {
    **dict.fromkeys(TEXTS, "varchar"),
    **dict.fromkeys(DOUBLES, "double"),
    **dict.fromkeys(TIMES, "timestamp(6)"),
    _KIND.BOOLEAN: "boolean", _KIND.DATE: "date",
    _KIND.TINYINT: "integer", _KIND.SMALLINT: "integer", _KIND.INT: "integer",
    _KIND.UTINYINT: "integer", _KIND.USMALLINT: "integer", _KIND.UINT: "bigint",
    _KIND.BIGINT: "bigint", _KIND.UBIGINT: "decimal(20, 0)", _KIND.INT128: "decimal(38, 0)",
}  # fmt: skip


class Untranslatable(Exception):
    """An expression or type of DuckDB that has no translation."""


def read_type(kind: DuckDBPyType) -> exp.DataType:
    """Convert a type of DuckDB; the unnamed fields of `row(a, b)` get names."""
    return exp.DataType.build(_text(kind), dialect="duckdb")


def _text(kind: DuckDBPyType) -> str:
    if kind.id in ("list", "map", "struct"):
        names, members = zip(*kind.children, strict=True)
        texts = [_text(each) for each in members if isinstance(each, DuckDBPyType)]
    if kind.id == "list":
        return f"{texts[0]}[]"
    if kind.id == "map":
        return f"MAP({', '.join(texts)})"
    if kind.id == "struct":
        named = enumerate(zip(names, texts, strict=True))
        fields = [f'"{name or f"field{place}"}" {text}' for place, (name, text) in named]
        return f"STRUCT({', '.join(fields)})"
    return "VARCHAR" if kind.id == "varchar" else str(kind)  # JSON is a text, too


def has_kind(node: exp.Expr, kinds: set[exp.DType]) -> bool:
    """Whether the node has one of these types in DuckDB."""
    return node.type is not None and node.type.this in kinds


def fields_of(struct: exp.DataType) -> dict[str, exp.DataType]:
    """The names and types of a struct."""
    return {field.name: field.args["kind"] for field in struct.expressions}


def trino_type(kind: exp.DataType) -> str:
    """The type of Trino that holds all values of DuckDB's type.

    Raises:
        Untranslatable: there is none.
    """
    base = kind.this
    if base == _KIND.DECIMAL:
        return f"decimal({', '.join(each.sql() for each in kind.expressions) or '18, 3'})"
    if base in LISTS:
        return f"array({trino_type(kind.expressions[0])})"
    if base == _KIND.MAP:
        return f"map({', '.join(trino_type(each) for each in kind.expressions)})"
    if base in STRUCTS:
        fields = [f'"{name}" {trino_type(each)}' for name, each in fields_of(kind).items()]
        return f"row({', '.join(fields)})"
    if base not in _NAMES:
        raise Untranslatable(f"the type {kind.sql('duckdb')}")
    return _NAMES[base]
