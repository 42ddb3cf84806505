-- The block sizes of a job by direction (HOWTO, bs and bssplit). `bs=4k,64k` is 4k for reads and
-- 64k for the rest, `bs=4k,` leaves writes at the default; `bssplit=4k/70:64k/` gives a size
-- without a share what is left. A range (bsrange) has no shares and no row here.
with options as (
    select
        jobs.file_id,
        jobs.job_index,
        directions.direction,
        directions.position,
        coalesce(jobs.options ->> 'kb_base', '1024') as kb_base,
        string_split(jobs.options ->> 'bs', ',') as sizes,
        string_split(jobs.options ->> 'bssplit', ',') as splits,
    from {{ source('raw', 'fio_jobs') }} as jobs
    cross join (
        values ('read', 1), ('write', 2), ('trim', 3)
    ) as directions (direction, position)
    where
        jobs.options is not null
        and (jobs.options ->> 'bsrange') is null
        and jobs.file_id in (select files.file_id from {{ ref('stg_files') }} as files)
),

entries as (
    select
        *,
        unnest(
            string_split(
                coalesce(
                    nullif(splits[least(position, len(splits))], ''),
                    splits[1],
                    nullif(sizes[least(position, len(sizes))], ''),
                    '4k'
                ), ':'
            )
        ) as entry,
    from options
),

shares as (
    select
        *,
        {{ fio_size_bytes("string_split(entry, '/')[1]", 'kb_base') }} as block_bytes,
        case
            when splits is null then 1.0
            else try_cast(nullif(string_split(entry, '/')[2], '') as double) / 100
        end as share_ratio,
    from entries
    where entry != ''
)

select
    -- ids
    file_id,
    job_index,
    direction,

    -- measures
    block_bytes,
    coalesce(
        share_ratio,
        (1 - coalesce(sum(share_ratio) over job_direction, 0))
        / count(*) filter (where share_ratio is null) over job_direction
    ) as share_ratio,
from shares
window job_direction as (partition by file_id, job_index, direction)
