-- A content is current as long as a source has it; of several places the newest names it.
with current_sources as (
    select
        file_id,
        max_by(path, (loaded_at, path)) as path,
    from {{ source('raw', 'sources') }}
    group by file_id
)

select
    -- ids
    files.file_id,

    -- categories
    current_sources.path,
    files.parser,

    -- timestamps
    files.ingested_at,
from {{ source('raw', 'files') }} as files
inner join current_sources using (file_id)
