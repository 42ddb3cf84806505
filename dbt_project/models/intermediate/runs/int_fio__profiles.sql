-- What a job's load is: the blocks of its reads and writes weigh by their shares. Of sizes that are
-- a range the text stays, `block_option`.
with blocks as (
    select
        jobs.file_id,
        jobs.job_index,
        blocks.block_bytes,
        sum(
            blocks.share_ratio
            * case
                when jobs.rw in ('trim', 'randtrim') then if(blocks.direction = 'trim', 1, 0)
                when jobs.rw like '%trimwrite' then if(blocks.direction = 'read', 0, 0.5)
                when blocks.direction = 'read' then jobs.read_ratio
                when blocks.direction = 'write' then 1 - jobs.read_ratio
            end
        ) as share_ratio,
    from {{ ref('stg_fio__jobs') }} as jobs
    inner join {{ ref('stg_fio__blocks') }} as blocks using (file_id, job_index)
    where not jobs.is_merged
    group by jobs.file_id, jobs.job_index, blocks.block_bytes
),

mixes as (
    select
        file_id,
        job_index,
        list(
            struct_pack(block_bytes := block_bytes, share_ratio := round(share_ratio, 6))
            order by block_bytes
        ) as block_mix,
    from blocks
    where share_ratio > 0 and block_bytes is not null
    group by file_id, job_index
),

profiles as (
    select
        jobs.file_id,
        jobs.job_index,
        jobs.random_ratio,
        jobs.read_ratio,
        coalesce(
            mixes.block_mix, [struct_pack(block_bytes := cast(null as bigint), share_ratio := 1.0)]
        ) as block_mix,
        case when mixes.block_mix is null then jobs.block_option end as block_option,
    from {{ ref('stg_fio__jobs') }} as jobs
    left join mixes using (file_id, job_index)
    where not jobs.is_part_of_another
)

select
    *,
    md5(
        concat_ws('|', 'random', random_ratio, 'read', read_ratio, block_mix, block_option)
    ) as run_profile_key,
from profiles
