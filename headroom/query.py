"""`headroom sql`: runs queries on the published file and prints the answers."""

import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import duckdb

from headroom import show
from headroom.limits import in_time
from headroom.warehouse import WarehouseError
from ingest.project import project_folder

Value = str | int | float
# An exponent makes no number: the start of a file_id may look like one.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d+)?")
_MACROS = project_folder("dbt_project/macros")
_SUBJECTS = ("texts", "comparisons", "prices", "paths", "runs")
_GUARDED = r"regexp_replace({}, '^[=+@\t\r-]', '''\0')"
_QUOTED = re.compile(r"'.*'", re.DOTALL)
_KEYWORDS = (
    "select from where group by order having limit join left using with as case when then else end "
    "and or not in is null like between distinct count sum avg min max median describe show tables"
)


def parameters(given: Iterable[str]) -> dict[str, Value]:
    """`name=value` of the command line: a number as JSON has it, or a text, also in quotes.

    Raises:
        WarehouseError: there is no "=" in it.
    """
    found: dict[str, Value] = {}
    for text in given:
        name, is_given, value = text.partition("=")
        if not is_given:
            raise WarehouseError(f"--param {text}: write name=value")
        found[name] = _value(value)
    return found


def _value(text: str) -> Value:
    if _QUOTED.fullmatch(text):
        return text[1:-1]
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


def labelled(name: str, **settings: Any) -> str:
    """The query `name`.sql of this folder, rendered with the models' macros for labels."""
    from jinja2 import Environment  # takes a tenth of a second

    macros = [_MACROS / f"{subject}.sql" for subject in _SUBJECTS]
    texts = [path.read_text() for path in (*macros, Path(__file__).with_name(f"{name}.sql"))]
    return Environment().from_string("".join(texts)).render(settings)


def answer(
    connection: duckdb.DuckDBPyConnection, text: str, values: Mapping[str, Value], output: str
) -> None:
    """Run the queries of a text one after the other and print what each answers.

    Raises:
        WarehouseError: the query is empty, more than one for a format that holds one, or an answer
            that the format cannot hold.
        TimeoutError: a query takes longer than it may.
        duckdb.Error: as DuckDB says.
    """
    statements = connection.extract_statements(text)
    if not statements:
        raise WarehouseError("the query is empty")
    if len(statements) > 1 and output in _FILES:
        raise WarehouseError(
            f"{output} takes one query, not {len(statements)}: run them one by one"
        )
    for statement in statements:
        named = {name: values[name] for name in statement.named_parameters if name in values}
        printed = _Printed()
        with in_time(connection), redirect_stdout(printed):
            relation = connection.sql(statement, params=named or None)
            if relation is None:
                raise WarehouseError("not a query: a published file is read-only")
            _PRINT[output](relation)
        printed.flush()
        sys.stdout.buffer.write(printed.kept.getbuffer())
        sys.stdout.flush()


class _Printed(io.TextIOWrapper):
    """Keeps what is printed: how long a reader such as `less` takes is no time of the query."""

    def __init__(self) -> None:
        self.kept = io.BytesIO()
        self._is_terminal = sys.stdout.isatty()
        super().__init__(self.kept, sys.stdout.encoding, sys.stdout.errors)

    def isatty(self) -> bool:
        return self._is_terminal


def _markdown(relation: duckdb.DuckDBPyRelation) -> None:
    def line(cells: Iterable[object]) -> str:
        texts = ("" if cell is None else str(cell) for cell in cells)
        escaped = (re.sub(r"[|\\]", r"\\\g<0>", " ".join(text.split("\n"))) for text in texts)
        return f"| {' | '.join(escaped)} |"

    print(line(relation.columns))
    print(f"|{'---|' * len(relation.columns)}")
    for row in relation.fetchall():
        print(line(row))


def for_spreadsheets(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """The rows with ' before each text that a spreadsheet would run: it begins with = + - or @.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    unique = relation.project("*")  # of two columns with one name the second gets another
    cells = []
    for name, kind in zip(unique.columns, unique.types, strict=True):
        quoted = '"{}"'.format(name.replace('"', '""'))
        is_text = str(kind) == "VARCHAR"
        cells.append(f"{_GUARDED.format(quoted)} as {quoted}" if is_text else quoted)
    return unique.project(", ".join(cells))


def _csv(relation: duckdb.DuckDBPyRelation) -> None:
    _write("csv", lambda file: for_spreadsheets(relation).pl().write_csv(file))


def _raw_csv(relation: duckdb.DuckDBPyRelation) -> None:
    _write("csv", lambda file: relation.pl().write_csv(file))


def _json(relation: duckdb.DuckDBPyRelation) -> None:
    _write("json", lambda file: relation.pl().write_json(file))
    print()


def _parquet(relation: duckdb.DuckDBPyRelation) -> None:
    if sys.stdout.isatty():
        raise WarehouseError("parquet is binary: redirect it to a file, ... > answer.parquet")
    _write("parquet", lambda file: relation.pl().write_parquet(file))


def _write(output: str, write: Callable[[io.BytesIO], object]) -> None:
    import polars as pl  # takes as long as all the rest, and a table needs none

    buffer = io.BytesIO()
    try:
        write(buffer)
    except pl.exceptions.PolarsError as error:
        raise WarehouseError(f"cannot write {output}: {error}; cast to varchar") from error
    sys.stdout.flush()
    sys.stdout.buffer.write(buffer.getvalue())
    sys.stdout.buffer.flush()


FORMATS: dict[str, Callable[[duckdb.DuckDBPyRelation], None]] = {
    "table": show.table,
    "line": show.lines,
    "md": _markdown,
    "csv": _csv,
    "json": _json,
    "parquet": _parquet,
}
RAW_CSV = "raw csv"
_PRINT = FORMATS | {RAW_CSV: _raw_csv}
_FILES = ("csv", RAW_CSV, "json", "parquet")


def prompt(connection: duckdb.DuckDBPyConnection, run: Callable[[str], None]) -> None:
    """Ask for queries until the end of input; each ends with a semicolon, Tab completes names."""
    _complete_names(connection)
    print("Queries end with ; and Tab completes names. Ctrl-D ends. Try `show tables;`.")
    text = ""
    while True:
        try:
            text += input("     ...> " if text else "headroom> ") + "\n"
        except KeyboardInterrupt:
            print()
            text = ""
        except EOFError:
            print()
            return
        if text.rstrip().endswith(";"):
            try:
                run(text)
            except (WarehouseError, TimeoutError, duckdb.Error) as error:
                print(f"headroom: {error}", file=sys.stderr)
            text = ""


def _complete_names(connection: duckdb.DuckDBPyConnection) -> None:
    import readline

    rows = connection.execute(
        "select table_name from duckdb_tables() union select column_name from duckdb_columns() "
        "where schema_name = 'marts' order by 1"
    ).fetchall()
    words = [*(name for (name,) in rows), *_KEYWORDS.split()]

    def complete(start: str, number: int) -> str | None:
        found = [word for word in words if word.startswith(start)]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
