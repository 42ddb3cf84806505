with names as (
    select
        profiles.*,
        documents.publisher,
    from {{ ref('int_load_profiles') }} as profiles
    left join {{ ref('dim_documents') }} as documents using (document_id)
),

profiles as (
    select
        profile_id,
        case
            when any_value(random_ratio) = 1 then 'random'
            when any_value(random_ratio) = 0 then 'sequential'
            when any_value(random_ratio) is not null then 'mixed'
        end as access_pattern,
        min(random_ratio) as random_ratio,
        min(read_ratio) as read_ratio,
        any_value(block_bytes) as block_bytes,
        any_value(block_mix[1].block_bytes) as min_block_bytes,
        any_value(block_mix[-1].block_bytes) as max_block_bytes,
        cast(any_value(len(block_mix)) as bigint) as block_size_count,
        min(
            list_sum(list_transform(block_mix, lambda part: part.block_bytes * part.share_ratio))
        ) as mean_block_bytes,
        string_agg(
            distinct coalesce(publisher || ': ', '') || profile_name, '; '
            order by coalesce(publisher || ': ', '') || profile_name
        ) as profile_names,
        string_agg(distinct profile_name, ', ' order by profile_name)
        filter (where document_id is not null) as published_names,
    from names
    group by profile_id
)

select
    profile_id,
    access_pattern,
    random_ratio,
    read_ratio,
    block_bytes,
    min_block_bytes,
    max_block_bytes,
    block_size_count,
    mean_block_bytes,
    profile_names,
    concat_ws(
        ', ',
        case
            when random_ratio is null then 'access not stated'
            when access_pattern = 'mixed'
                then {{ percent_label('random_ratio') }} || ' % random'
            else access_pattern
        end,
        coalesce({{ percent_label('read_ratio') }} || ' % read', 'reads not stated'),
        coalesce(
            {{ size_label('block_bytes') }},
            {{ size_label('min_block_bytes') }} || ' to ' || {{ size_label('max_block_bytes') }},
            'block not stated'
        )
    ) || coalesce(' (' || published_names || ')', '') as profile_label,
    if(mean_block_bytes >= 65536, 'bytes_per_second', 'iops') as headline_metric,
from profiles
