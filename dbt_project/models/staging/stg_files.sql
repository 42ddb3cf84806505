-- A content is current while a file at any path has it; the first described path names it, else the
-- first path. Each further description is a result of its own, with a hash of the description in
-- its id; the hash omits empty fields, so that new fields do not change it. Papers describe their
-- own systems. Ids with the same beginning, which can be forged, are used in full.
with places as (
    select
        files.file_id,
        files.parser,
        sources.path,
        coalesce(nullif(rtrim({{ folder('sources.path') }}, '/'), ''), '.') as folder,
        sources.source_key,
        json_merge_patch('{}', to_json(sidecars), '{"source_key": null, "job_files": null}')
            as described_as,
        coalesce(described_as != '{}', false) as has_sidecar,
        sidecars.* exclude (
            source_key, example, stripe_number, stripe_unit, access_pattern, read_percent,
            block_size_number, block_size_unit, memory_number, memory_unit, mute, job_files
        ),
        case sidecars.access_pattern when 'random' then 1.0 when 'sequential' then 0.0 end
            as random_ratio,
        sidecars.read_percent / 100 as read_ratio,
        {{ to_bytes('sidecars.block_size_number', 'sidecars.block_size_unit', 2) }} as block_bytes,
        coalesce(sidecars.example, false) as is_example,
        {{ to_bytes('sidecars.stripe_number', 'sidecars.stripe_unit', 2) }} as stripe_bytes,
        {{ to_bytes('sidecars.memory_number', 'sidecars.memory_unit', 2) }} as memory_bytes,
        sidecars.mute as muted_rules,
        left(md5(described_as), 6) as description_id,
        row_number() over (
            partition by files.file_id order by has_sidecar desc, sources.path asc, source_key asc
        ) = 1 as is_first,
        left(files.file_id, 12) as short_id,
        min(files.file_id) over same_beginning != max(files.file_id) over same_beginning
            as is_ambiguous,
    from {{ source('raw', 'files') }} as files
    inner join {{ source('raw', 'sources') }} as sources using (file_id)
    left join {{ source('raw', 'sidecars') }} as sidecars using (source_key)
    where sources.is_current
    window same_beginning as (partition by left(files.file_id, 12))
),

copies as (
    select
        file_id,
        list(path order by path) as paths,
    from places
    group by file_id
    having count(*) > 1
)

select
    places.* exclude (described_as, description_id, is_first, short_id, is_ambiguous),
    array_to_string(list_filter(copies.paths, lambda other: other != path)[:20], '; ')
    || if(len(copies.paths) > 21, '; and ' || (len(copies.paths) - 21) || ' more', '')
        as other_paths,
    if(is_ambiguous, file_id, short_id) || if(is_first, '', '-' || description_id) as source_id,
from places
left join copies using (file_id)
where is_first or (has_sidecar and parser != 'white_paper')
qualify
    row_number() over (
        partition by file_id, description_id order by path asc, source_key asc
    ) = 1
