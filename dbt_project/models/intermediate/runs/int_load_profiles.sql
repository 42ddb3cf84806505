-- The id of a load profile describes its load, not its name, and rounds ratios: the lowest of
-- several counts. Only papers publish names; an Iometer access specification has the lab's own.
with named as (
    select
        *,
        concat_ws(': ', publisher, profile_name) as full_name,
    from {{ ref('int_white_papers__profiles') }}
    union all by name
    select * from {{ ref('int_fio__profiles') }}
    union all by name
    select * from {{ ref('int_iometer__access_specs') }}
    union all by name
    select
        profile_id,
        random_ratio,
        read_ratio,
        block_mix,
        block_bytes,
        profile_name,
    from {{ ref('int_generic__measurements') }}
)

select
    profile_id,
    min(random_ratio) as random_ratio,
    min(read_ratio) as read_ratio,
    min(block_mix) as block_mix,
    min(block_bytes) as block_bytes,
    list_sum(list_transform(min(block_mix), lambda part: part.block_bytes * part.share_ratio))
        as mean_block_bytes,
    list_sort(list(distinct coalesce(full_name, profile_name))) as profile_names,
    list_sort(list(distinct profile_name) filter (full_name is not null)) as published_names,
from named
group by profile_id
