with parts as (
    select
        profile_id,
        unnest(min(block_mix)) as part,
    from {{ ref('int_load_profiles') }}
    group by profile_id
)

select
    profile_id,
    part.block_bytes,
    part.share_ratio,
from parts
where part.block_bytes is not null
