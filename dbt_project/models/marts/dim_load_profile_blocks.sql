with profiles as (
    select
        profile_id,
        min(block_mix) as block_mix,
    from {{ ref('int_load_profiles') }}
    group by profile_id
),

parts as (
    select
        profile_id,
        unnest(block_mix) as part,
    from profiles
)

select
    profile_id,
    part.block_bytes,
    part.share_ratio,
from parts
where part.block_bytes is not null
