-- A content is current as long as a place has it; of several places a described one names it.
select
    files.file_id,
    files.parser,
    sources.path,
    coalesce(nullif(rtrim({{ folder('sources.path') }}, '/'), ''), '.') as folder,
    sources.source_key,
    sidecars.source_key is not null as has_sidecar,
    sidecars.* exclude (source_key, stripe_number, stripe_unit),
    {{ to_bytes('sidecars.stripe_number', 'sidecars.stripe_unit', 2) }} as stripe_bytes,
from {{ source('raw', 'files') }} as files
inner join {{ source('raw', 'sources') }} as sources using (file_id)
left join {{ source('raw', 'sidecars') }} as sidecars using (source_key)
where sources.is_current
qualify
    row_number() over (
        partition by files.file_id order by has_sidecar desc, sources.path asc, source_key asc
    ) = 1
