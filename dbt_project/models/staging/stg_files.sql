-- A content is current as long as a place has it; of several places a described one names it.
with current_sources as (
    select
        sources.file_id,
        min_by(
            sources.source_key, (sidecars.source_key is null, sources.path, sources.source_key)
        ) as source_key,
        min_by(sources.path, (sidecars.source_key is null, sources.path)) as path,
    from {{ source('raw', 'sources') }} as sources
    left join {{ source('raw', 'sidecars') }} as sidecars using (source_key)
    where sources.is_current
    group by sources.file_id
)

select
    -- ids
    files.file_id,
    current_sources.source_key,

    -- categories
    current_sources.path,
    files.parser,

    -- timestamps
    files.ingested_at,
from {{ source('raw', 'files') }} as files
inner join current_sources using (file_id)
