"""What the names in a select mean: stars, columns, columns of a `using`, fields, earlier aliases.

DuckDB lets an expression use the alias of another one of the same select, and a column goes before
an alias. Trino knows no such aliases, so that they are replaced by what they stand for.
"""

from collections.abc import Iterator

from sqlglot import exp

from headroom.engines.trino.kinds import STRUCTS, fields_of, has_kind, trino_type
from headroom.engines.trino.known import Known
from headroom.engines.trino.texts import Untranslatable

Columns = dict[str, exp.DataType]


class Scope:
    """The relations of a select with their columns."""

    def __init__(self, select: exp.Select, known: Known) -> None:
        self.sources: dict[str, Columns] = {}
        self._filters: set[str] = set()  # what only filters has no columns to select
        self._using: dict[str, list[exp.Expr]] = {}
        self.star: Columns = {}
        if select.args.get("from_") is None:
            return
        clause = _from_clause(select)
        self.star = known.columns(f"select * {clause}")
        first = select.args["from_"].this.alias_or_name
        self.sources[first] = known.columns(f'select "{first}".* {clause}')
        for join in select.args.get("joins") or []:
            alias = join.alias_or_name
            if join.kind in ("SEMI", "ANTI"):
                self._filters.add(alias)
                self.sources[alias] = known.columns(f"from {join.this.sql('duckdb')}")
            else:
                self.sources[alias] = known.columns(f'select "{alias}".* {clause}')
            self._join_using(join)

    def _join_using(self, join: exp.Join) -> None:
        """Turns `using` into `on`: Trino knows no qualified names of such columns."""
        conditions = []
        for identifier in join.args.get("using") or []:
            name = identifier.name
            left = self._using.get(name) or [self._first_with(name)]
            right = self.column(join.alias_or_name, name)
            conditions.append(exp.EQ(this=_coalesced(left), expression=right))
            if join.side == "FULL":
                self._using[name] = [*left, right.copy()]
            elif join.kind not in ("SEMI", "ANTI"):
                self._using[name] = left
        if conditions:
            join.set("using", None)
            join.set("on", exp.and_(*conditions))

    def _first_with(self, name: str) -> exp.Expr:
        return next(
            self.column(alias, name) for alias in self.sources if name in self.sources[alias]
        )

    def column(self, alias: str, name: str) -> exp.Column:
        """A column of one relation, with its type."""
        column = exp.column(name, table=alias, quoted=True)
        column.type = self.sources[alias][name]
        return column

    def find(self, name: str) -> exp.Expr | None:
        """The column that an unqualified name means; None where it is none."""
        if name in self._using:
            return _coalesced(self._using[name])
        visible = [alias for alias in self.sources if alias not in self._filters]
        found = [alias for alias in visible if name in self.sources[alias]]
        return self.column(found[0], name) if found else None

    def row(self, alias: str) -> exp.Expr:
        """A whole row of a relation as a struct."""
        columns = self.sources[alias]
        fields = [self.column(alias, name) for name in columns]
        struct = exp.DataType.build(_struct_sql(columns), dialect="duckdb")
        row = exp.cast(
            exp.Anonymous(this="row", expressions=fields), trino_type(struct), dialect="trino"
        )
        row.type = struct
        return row


def _struct_sql(columns: Columns) -> str:
    fields = [f'"{name}" {kind.sql("duckdb")}' for name, kind in columns.items()]
    return f"struct({', '.join(fields)})"


def _from_clause(select: exp.Select) -> str:
    asked = exp.Select(
        from_=select.args["from_"].copy(),
        joins=[join.copy() for join in select.args.get("joins") or []],
        expressions=[exp.Literal.number(1)],
    )
    return asked.sql("duckdb").removeprefix("SELECT 1 ")


def _coalesced(columns: list[exp.Expr]) -> exp.Expr:
    if len(columns) == 1:
        return columns[0].copy()
    first, *others = [column.copy() for column in columns]
    both = exp.Coalesce(this=first, expressions=others)
    both.type = first.type
    return both


class Names:
    """Resolves expressions of one select, its projections first and in their order."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.aliases: dict[str, exp.Expr] = {}

    def projections(self, select: exp.Select) -> list[tuple[str, exp.Expr]]:
        """All projections with their names; stars and fields of structs one by one."""
        found = []
        for index, projection in enumerate(select.expressions):
            for name, expression in self._expanded(projection, index):
                resolved = self.resolve(expression)
                self.aliases.setdefault(name, resolved)
                found.append((name, resolved))
        return found

    def resolve_alias(self, expression: exp.Expr) -> exp.Expr:
        """The same where an alias alone goes before a column: in `order by` and `distinct on`."""
        is_bare = isinstance(expression, exp.Column) and not expression.table
        if is_bare and expression.name in self.aliases:
            return self.aliases[expression.name].copy()
        return self.resolve(expression)

    def resolve_having(self, clause: exp.Expr, keys: list[exp.Expr]) -> None:
        """An alias goes before a column that is neither a key of the groups nor aggregated."""
        texts = {key.unnest().sql("duckdb") for key in keys}
        for column in list(_columns_of(clause)):
            meaning = self._meaning(column)
            is_of_group = column.find_ancestor(exp.AggFunc) or meaning.sql("duckdb") in texts
            if not is_of_group and not column.table and column.name in self.aliases:
                meaning = _as_operand(self.aliases[column.name])
            column.replace(meaning)

    def resolve(self, expression: exp.Expr) -> exp.Expr:
        """The expression with each name replaced by a column of a relation."""

        if isinstance(expression, exp.Column):
            return self._meaning(expression)
        for column in list(_columns_of(expression)):
            column.replace(self._meaning(column))
        return expression

    def _meaning(self, column: exp.Column) -> exp.Expr:
        first, *rest = [part.name for part in column.parts]
        if rest and first in self.scope.sources and rest[0] in self.scope.sources[first]:
            return _field(self.scope.column(first, rest[0]), rest[1:])
        base = self.scope.find(first)
        if base is None and first in self.aliases:
            base = _as_operand(self.aliases[first])
        if base is None and first in self.scope.sources and not rest:
            base = self.scope.row(first)
        if base is None:
            return column  # of a query around this one
        return _field(base, rest)

    def _expanded(self, projection: exp.Expr, index: int) -> Iterator[tuple[str, exp.Expr]]:
        inner = projection.unalias()
        if isinstance(inner, exp.Star):
            yield from self._starred(inner)
        elif isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star):
            yield from self._all_of(inner)
        elif isinstance(inner, exp.Explode) and inner.expressions:
            yield from _fields_of_list(inner)
        elif found := inner.find(exp.Columns):
            for name, column in self._starred(found.this):
                yield name, _with_column(inner, column)
        else:
            yield projection.alias_or_name or f"_col{index}", inner

    def _all_of(self, column: exp.Column) -> Iterator[tuple[str, exp.Expr]]:
        """`t.*` of a relation, or of a column that is a struct."""
        alias = column.table
        if alias in self.scope.sources:
            yield from self._starred(column.this, alias)
            return
        base = self.scope.find(alias) or self.aliases[alias]
        assert base.type is not None and has_kind(base, STRUCTS)
        for name in fields_of(base.type):
            yield name, _field(base.copy(), [name])

    def _starred(self, star: exp.Star, alias: str | None = None) -> Iterator[tuple[str, exp.Expr]]:
        """The columns of a star, of one relation or of all, but for what it excludes."""
        left_out = {each.name for each in star.args.get("except_") or []}
        replaced = {each.alias: each.this for each in star.args.get("replace") or []}
        for name in self.scope.sources[alias] if alias else self.scope.star:
            if name in replaced:
                yield name, replaced[name]
            elif name not in left_out:
                found = self.scope.column(alias, name) if alias else self.scope.find(name)
                if found is None:
                    raise Untranslatable(f"a star over two columns that DuckDB tells apart: {name}")
                yield name, found


def _columns_of(expression: exp.Expr) -> Iterator[exp.Column]:
    """Its columns, without those of queries in it."""
    for node in expression.walk(prune=lambda each: isinstance(each, exp.Query)):
        if isinstance(node, exp.Column):
            yield node


def _fields_of_list(unnest: exp.Explode) -> Iterator[tuple[str, exp.Expr]]:
    """`unnest(structs, recursive := true)`: a column for each field."""
    unnest.set("expressions", None)
    element = unnest.this.type.expressions[0]
    for name in fields_of(element):
        yield name, _field(_typed(unnest.copy(), element), [name])


def _with_column(expression: exp.Expr, column: exp.Expr) -> exp.Expr:
    """`columns(...)` with one of them in its place."""
    made = expression.copy()
    for place in list(made.find_all(exp.Columns)):
        place.replace(column.copy())
    return made


def _typed(node: exp.Expr, kind: exp.DataType | None) -> exp.Expr:
    node.type = kind
    return node


def _as_operand(expression: exp.Expr) -> exp.Expr:
    if isinstance(expression, (exp.Column, exp.Literal, exp.Paren)):
        return expression.copy()
    return _typed(exp.Paren(this=expression.copy()), expression.type)


def _field(base: exp.Expr, names: list[str]) -> exp.Expr:
    for name in names:
        kind = fields_of(base.type).get(name) if base.type is not None else None
        dot = exp.Dot(this=base, expression=exp.to_identifier(name, quoted=True))
        base = _typed(dot, kind)
    return base
