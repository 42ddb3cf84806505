-- Documents' names for their load profiles, from the first edition that has the name.
with editions as (
    select * from {{ ref('stg_white_papers__profiles') }}
    qualify edition_order = min(edition_order) over (partition by document_id, profile)
),

profiles as (
    select
        document_id,
        profile as profile_name,
        arg_min(application, line) as application,
        any_value(random_ratio) as random_ratio,
        any_value(read_ratio) as read_ratio,
        any_value(publisher) as publisher,
        list(
            struct_pack(block_bytes := block_bytes, share_ratio := share_ratio)
            order by block_bytes
        ) as block_mix,
    from editions
    group by document_id, profile
)

select
    *,
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix') }} as profile_id,
    if(len(block_mix) = 1, block_mix[1].block_bytes, null) as block_bytes,
from profiles
