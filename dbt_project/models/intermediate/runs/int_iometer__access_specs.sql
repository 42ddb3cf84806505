-- The ratios of a specification's lines are weighted by their shares. A file whose results name no
-- specification (the Qt front end, workers with different ones, a torn block) has a row without an
-- index and without ratios.
with lines as (
    select
        *,
        sum(size_percent) over (partition by file_id, access_spec_index, size_bytes)
        / nullif(sum(size_percent) over (partition by file_id, access_spec_index), 0)
            as block_ratio,
    from {{ source('raw', 'iometer_access_specs') }}
    where {{ is_current_file() }}
),

specs as (
    select
        file_id,
        access_spec_index,
        any_value(access_spec_name) as access_spec_name,
        round(
            {{ ordered_sum('size_percent * (random_percent / 100)') }}
            / nullif(sum(size_percent), 0), 6
        ) as random_ratio,
        round(
            {{ ordered_sum('size_percent * (read_percent / 100)') }}
            / nullif(sum(size_percent), 0), 6
        ) as read_ratio,
        if(
            min(block_ratio) < 0, null,
            list_sort(
                list(
                    distinct struct_pack(
                        block_bytes := nullif(size_bytes, 0), share_ratio := round(block_ratio, 6)
                    )
                ) filter (where block_ratio > 0)
            )
        ) as block_mix,  -- null if a share is negative
        nullif(concat_ws(
            '; ',
            'delay ' || nullif(max(delay_ms), 0) || ' ms',
            'bursts of ' || nullif(max(burst_count), 1),
            'reply ' || nullif(max(reply_bytes), 0) || ' bytes'
        ), '') as condition,
    from lines
    group by file_id, access_spec_index
    union all by name
    select distinct file_id from {{ ref('stg_iometer__blocks') }}
    where access_spec_index is null
)

select
    * exclude (access_spec_name),
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix') }} as profile_id,
    coalesce(
        access_spec_name, {{ plain_profile_name('random_ratio', 'read_ratio', 'block_mix') }}
    ) as profile_name,
    if(len(block_mix) = 1, block_mix[1].block_bytes, null) as block_bytes,
from specs
