-- What a specification is: shares of its lines weigh their ratios. A file whose results name none
-- (the Qt front end, workers with different ones, a torn block) has a row without an index, of
-- which nothing is known.
with lines as (
    select
        *,
        share_ratio / nullif(sum(share_ratio) over (partition by file_id, access_spec_index), 0)
            as weight,
    from {{ ref('stg_iometer__access_specs') }}
),

blocks as (
    select
        file_id,
        access_spec_index,
        block_bytes,
        round(sum(weight), 6) as share_ratio,
    from lines
    group by file_id, access_spec_index, block_bytes
),

mixes as (
    select
        file_id,
        access_spec_index,
        list(
            struct_pack(block_bytes := block_bytes, share_ratio := share_ratio)
            order by block_bytes
        ) as block_mix,
    from blocks
    where share_ratio > 0
    group by file_id, access_spec_index
),

specs as (
    select
        file_id,
        access_spec_index,
        any_value(access_spec_name) as profile_name,
        round(sum(weight * read_ratio), 6) as read_ratio,
        round(sum(weight * random_ratio), 6) as random_ratio,
        case when count(distinct coalesce(alignment_bytes, 0)) = 1 then max(alignment_bytes) end
            as alignment_bytes,
        concat_ws(
            '; ',
            'delay ' || nullif(max(delay_ms), 0) || ' ms',
            'bursts of ' || nullif(max(burst_count), 1),
            'reply ' || max(reply_bytes) || ' bytes'
        ) as conditions,
    from lines
    group by file_id, access_spec_index
),

described as (
    select
        specs.*,
        mixes.block_mix,
    from specs
    left join mixes using (file_id, access_spec_index)
    union all by name
    select distinct blocks.file_id
    from {{ ref('stg_iometer__blocks') }} as blocks
    left join {{ ref('stg_iometer__totals') }} as totals using (file_id, block_index)
    where totals.access_spec_index is null
)

select
    *,
    md5(
        concat_ws(
            '|', profile_name, 'random', random_ratio, 'read', read_ratio,
            'aligned', alignment_bytes, block_mix
        )
    ) as run_profile_key,
from described
