-- A profile is what it is, not what it is called: each name that a publisher or a run gives, with
-- the id of what is behind it. An access specification of Iometer has a name, which is the lab's; a
-- job of fio has none.
with editions as (
    select * from {{ ref('stg_white_papers__profiles') }}
    qualify edition_order = min(edition_order) over (partition by document_id, profile)
),

printed as (
    select
        document_id,
        profile as profile_name,
        arg_min_null(page, line) as page,
        arg_min_null(last_page, line) as last_page,
        arg_min(application, line) as application,
        any_value(random_ratio) as random_ratio,
        any_value(read_ratio) as read_ratio,
        any_value(alignment_bytes) as alignment_bytes,
        any_value(stream_count) as stream_count,
        list(
            struct_pack(block_bytes := block_bytes, share_ratio := share_ratio)
            order by block_bytes
        ) as block_mix,
    from editions
    group by document_id, profile
),

names as (
    select
        {{ profile_id('random_ratio', 'read_ratio', 'block_mix') }} as profile_id,
        *,
    from printed
    union all by name
    select distinct
        profile_id,
        profile_name,
        random_ratio,
        read_ratio,
        block_option,
        block_mix,
    from {{ ref('int_fio__profiles') }}
    union all by name
    select distinct
        profile_id,
        profile_name,
        random_ratio,
        read_ratio,
        alignment_bytes,
        block_mix,
    from {{ ref('int_iometer__access_specs') }}
)

select
    * exclude (block_mix),
    coalesce(
        block_mix, [struct_pack(block_bytes := cast(null as bigint), share_ratio := 1.0)]
    ) as block_mix,
    coalesce(len(block_mix) = 1, true) as is_single_block,
    if(len(block_mix) = 1, block_mix[1].block_bytes, null) as block_bytes,
from names
