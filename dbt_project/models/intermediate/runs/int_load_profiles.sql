-- A load profile is what it is, not what it is called: its id says so. The id rounds ratios: of
-- several the least counts. An access specification of Iometer has a name, which is the lab's.
with named as (
    select * from {{ ref('int_white_papers__profiles') }}
    union all by name
    select * exclude (block_option) from {{ ref('int_fio__profiles') }}
    union all by name
    select * from {{ ref('int_iometer__access_specs') }}
),

profiles as (
    select
        named.profile_id,
        min(named.random_ratio) as random_ratio,
        min(named.read_ratio) as read_ratio,
        min(named.block_mix) as block_mix,
        list_sort(
            list(
                distinct struct_pack(
                    profile_name := named.profile_name,
                    publisher := documents.publisher,
                    document_id := named.document_id,
                    page := named.page,
                    application := named.application,
                    alignment_bytes := named.alignment_bytes,
                    stream_count := named.stream_count
                )
            )
        ) as names,
        bool_or(named.document_id is not null) as is_published,
    from named
    left join {{ ref('stg_white_papers__documents') }} as documents using (document_id)
    group by named.profile_id
)

select
    *,
    if(len(block_mix) = 1, block_mix[1].block_bytes, null) as block_bytes,
    list_sum(list_transform(block_mix, lambda part: part.block_bytes * part.share_ratio))
        as mean_block_bytes,
from profiles
