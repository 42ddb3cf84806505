-- Whether $1 is one SELECT that only reads. What writes, attaches, defines or sets something is no
-- SELECT, which is all that DuckDB serializes; of table functions some do as much (enable_logging), or
-- run a text that does (query), so those that may be asked are listed. What cannot be parsed can do
-- nothing: DuckDB's own words on it are the better ones.
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
