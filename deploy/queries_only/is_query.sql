-- Whether $1 is one SELECT that only reads. DuckDB serializes only SELECTs, so a statement that
-- writes, attaches, defines or sets something is refused. Some table functions do so, too
-- (enable_logging), or run a text that does (query): the allowed ones are listed. A text that
-- cannot be parsed can do nothing; it is allowed, as DuckDB's own message about it is better.
with parsed as (
    select json_serialize_sql($1::varchar) as tree
)

select
    coalesce(tree ->> '$.error_type' = 'parser', false)
    or not (tree ->> '$.error')::boolean
    and json_array_length(tree, '$.statements') = 1
    and not exists (
        from json_tree(tree)
        where
            fullkey like '%.function.function_name'
            and lower(atom ->> '$') not in (
                'duckdb_columns', 'duckdb_databases', 'duckdb_functions', 'duckdb_schemas',
                'duckdb_settings', 'duckdb_tables', 'duckdb_types', 'duckdb_views',
                'generate_series', 'json_each', 'json_tree', 'pragma_table_info',
                'pragma_version', 'range', 'repeat', 'unnest'
            )
    )
from parsed
