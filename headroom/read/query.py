"""`headroom sql`: run queries on the published file and print the answers."""

import functools
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from typing import TextIO

import click
import duckdb

from headroom import terminal
from headroom.cli import command, format_option
from headroom.query_limits import continue_in_child, in_time
from headroom.warehouse import Warehouse, WarehouseError
from ingest.common.project_folder import project_folder

Value = str | int | float
# A text with an exponent is not a number: the start of a file_id may look like one.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d+)?")
EXAMPLES = {path.stem: path for path in sorted(project_folder("docs/queries").glob("*.sql"))}
_GUARDED = r"regexp_replace({}, '^[=+@\t\r-]', '''\0')"
_QUOTED = re.compile(r"'.*'", re.DOTALL)
_KEYWORDS = (
    "select from where group by order having limit join left using with as case when then else end "
    "and or not in is null like between distinct count sum avg min max median describe show tables"
)


def parameters(given: Iterable[str]) -> dict[str, Value]:
    """The values of `name=value`: a number as in JSON, or a text, also in quotes."""
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


def answer(
    connection: duckdb.DuckDBPyConnection, text: str, values: Mapping[str, Value], output: str
) -> None:
    """Run the queries one after the other and print their answers.

    Raises WarehouseError without a query, or if a format cannot hold two answers or a nested value.
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
    """Buffers the answer, so that the time limit does not count a slow reader such as `less`."""

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
    """Prefix with ' each text that a spreadsheet would run: one that begins with = + - or @.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    unique = relation.project("*")  # renames the second of two columns with one name
    cells = []
    for name, kind in zip(unique.columns, unique.types, strict=True):
        quoted = '"{}"'.format(name.replace('"', '""'))
        is_text = str(kind) == "VARCHAR"
        cells.append(f"{_GUARDED.format(quoted)} as {quoted}" if is_text else quoted)
    return unique.project(", ".join(cells))


def _json(relation: duckdb.DuckDBPyRelation) -> None:
    _write("json", relation)
    print()


def _parquet(relation: duckdb.DuckDBPyRelation) -> None:
    if sys.stdout.isatty():
        raise WarehouseError("parquet is binary: redirect it to a file, ... > answer.parquet")
    _write("parquet", relation)


def _write(output: str, relation: duckdb.DuckDBPyRelation) -> None:
    """Print the rows as polars writes them: in csv, json or parquet."""
    import polars as pl  # takes as long as all the rest; tables do not need it

    buffer = io.BytesIO()
    try:
        getattr(relation.pl(), f"write_{output}")(buffer)
    except pl.exceptions.PolarsError as error:
        raise WarehouseError(f"cannot write {output}: {error}; cast to varchar") from error
    sys.stdout.flush()
    sys.stdout.buffer.write(buffer.getvalue())
    sys.stdout.buffer.flush()


FORMATS: dict[str, Callable[[duckdb.DuckDBPyRelation], None]] = {
    "table": terminal.table,
    "line": terminal.lines,
    "md": _markdown,
    "csv": lambda relation: _write("csv", for_spreadsheets(relation)),
    "json": _json,
    "parquet": _parquet,
}
RAW_CSV = "raw csv"
_PRINT = FORMATS | {RAW_CSV: functools.partial(_write, "csv")}
_FILES = ("csv", RAW_CSV, "json", "parquet")


def prompt(connection: duckdb.DuckDBPyConnection, run: Callable[[str], None]) -> None:
    """Read queries until the end of input; each ends with a semicolon, Tab completes names."""
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


raw_option = click.option(
    "--raw", "is_raw", is_flag=True,
    help="Do not escape CSV texts that begin with = + - or @, which a spreadsheet may run.",
)  # fmt: skip


class _Query(click.Command):
    """Takes an argument that begins with an SQL comment, `-- why`, as a query, not an option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        queries = [arg for arg in args if arg.startswith("--") and len(arg.split(maxsplit=1)) > 1]
        options = [arg for arg in args if arg not in queries]
        return super().parse_args(context, [*options, "--", *queries] if queries else args)


@command(
    'headroom sql "select * from measurements where page = 18"',
    'headroom sql --format csv "from dim_controllers" > controllers.csv',
    "headroom sql --file slowest.sql --param vendor=Fujitsu",
    "headroom sql --example raid-penalty",
    "headroom sql",
    cls=_Query,
)
@click.argument("query", required=False)
@click.option(
    "--file", "-f", type=click.File(), help="Read the queries from a file; - is standard input."
)
@click.option("--example", type=click.Choice([*EXAMPLES]), metavar="NAME",
    help="Run a query of docs/queries: " + ", ".join(EXAMPLES) + ".",
)  # fmt: skip
@click.option(
    "--param",
    "-p",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of $NAME: 18 and 0.5 are numbers, '18' in quotes is text.",
)
@format_option(*FORMATS)
@raw_option
def sql(
    warehouse: Warehouse,
    query: str | None,
    file: TextIO | None,
    example: str | None,
    given: tuple[str, ...],
    output: str,
    *,
    is_raw: bool,
) -> None:
    """Query the published file, read-only. Marts need no schema prefix.

    Without a query it reads standard input; on a terminal it prompts, and Tab completes names.
    A table too wide for the terminal is printed with one column per line.
    """
    if sum(source is not None for source in (query, file, example)) > 1:
        raise WarehouseError("give one of a query, --file and --example")
    if example:
        query = EXAMPLES[example].read_text()
    if is_raw and output == "csv":
        output = RAW_CSV
    values = parameters(given)
    is_prompt = query is None and file is None and sys.stdin.isatty()
    continue_in_child(is_prompt=is_prompt)
    with warehouse.open_published() as connection:
        if is_prompt:
            prompt(connection, lambda text: answer(connection, text, values, output))
        else:
            text = query if query is not None else (file or sys.stdin).read()
            answer(connection, text, values, output)
