-- A failing row is a printed value that is in no measurement: nothing may be lost on the way.
with arrived as (
    select
        file_id,
        sheet_path,
        unnest(regexp_extract_all(source_position, '\d+')) as line,
    from {{ ref('int_white_papers__measurements') }}
)

select printed.*
from {{ ref('stg_white_papers__measurements') }} as printed
left join arrived
    on
        printed.file_id = arrived.file_id
        and printed.sheet_path = arrived.sheet_path
        and cast(printed.line as varchar) = arrived.line
where arrived.line is null
