-- Block sizes go by direction (HOWTO, bs and bssplit): `bs=4k,64k` is 4k for reads and 64k for the
-- rest, `bs=4k,` leaves writes at the default; `bssplit=4k/70:64k/` gives a size without a share
-- what is left. Those of reads and writes weigh by their shares. A range (bsrange) has no shares:
-- its text stays, `block_option`.
with directions as (
    select
        jobs.*,
        directions.direction,
        case
            when jobs.rw in ('trim', 'randtrim') then if(directions.direction = 'trim', 1, 0)
            when jobs.rw like '%trimwrite' then if(directions.direction = 'read', 0, 0.5)
            when directions.direction = 'read' then jobs.read_ratio
            when directions.direction = 'write' then 1 - jobs.read_ratio
        end as direction_ratio,
        unnest(
            string_split(
                coalesce(
                    nullif(block_splits[least(position, len(block_splits))], ''),
                    block_splits[1],
                    nullif(block_sizes[least(position, len(block_sizes))], ''),
                    '4k'
                ), ':'
            )
        ) as block,
    from {{ ref('int_fio__jobs') }} as jobs
    cross join (
        values ('read', 1), ('write', 2), ('trim', 3)
    ) as directions (direction, position)
    where jobs.has_options and not jobs.is_merged and not jobs.is_block_range
),

shares as (
    select
        file_id,
        job_index,
        {{ fio_size_bytes("string_split(block, '/')[1]", 'kb_base') }} as block_bytes,
        case
            when block_splits is null then 1.0
            else try_cast(nullif(string_split(block, '/')[2], '') as double) / 100
        end as stated_ratio,
        direction_ratio * coalesce(
            stated_ratio,
            (1 - coalesce(sum(stated_ratio) over job_direction, 0))
            / count(*) filter (where stated_ratio is null) over job_direction
        ) as share_ratio,
    from directions
    where block != ''
    window job_direction as (partition by file_id, job_index, direction)
),

blocks as (
    select
        file_id,
        job_index,
        block_bytes,
        round(sum(share_ratio), 6) as share_ratio,
    from shares
    group by all
    having sum(share_ratio) > 0 and block_bytes is not null
),

profiles as (
    select
        jobs.file_id,
        jobs.job_index,
        if(jobs.is_merged, null, jobs.random_ratio) as random_ratio,
        if(jobs.is_merged, null, jobs.read_ratio) as read_ratio,
        list(
            struct_pack(block_bytes := blocks.block_bytes, share_ratio := blocks.share_ratio)
            order by blocks.block_bytes
        ) filter (where blocks.block_bytes is not null) as block_mix,
        if(jobs.is_merged or block_mix is not null, null, jobs.block_option) as block_option,
    from {{ ref('int_fio__jobs') }} as jobs
    left join blocks using (file_id, job_index)
    where not jobs.is_part_of_another
    group by
        jobs.file_id, jobs.job_index, jobs.is_merged, jobs.random_ratio, jobs.read_ratio,
        jobs.block_option
)

select
    *,
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix', 'block_option') }} as profile_id,
    {{ plain_profile_name('random_ratio', 'read_ratio', 'block_mix', 'block_option') }}
        as profile_name,
from profiles
