with profiles as (
    select
        * exclude (is_published),
        case
            when random_ratio = 1 then 'random'
            when random_ratio = 0 then 'sequential'
            when random_ratio is not null then 'mixed'
        end as access_pattern,
        block_mix[1].block_bytes as min_block_bytes,
        block_mix[-1].block_bytes as max_block_bytes,
        coalesce(len(block_mix), 1) as block_size_count,
        list_transform(
            names, lambda name: concat_ws(': ', name.publisher, name.profile_name)
        ) as all_names,
        list_transform(
            list_filter(names, lambda name: name.document_id is not null),
            lambda name: name.profile_name
        ) as published_names,
    from {{ ref('int_load_profiles') }}
)

select
    * exclude (all_names, published_names),
    array_to_string(list_sort(list_distinct(all_names)), '; ') as profile_names,
    concat_ws(
        ', ',
        case access_pattern
            when 'mixed' then {{ percent_label('random_ratio') }} || ' % random'
            else coalesce(access_pattern, 'access not stated')
        end,
        coalesce({{ percent_label('read_ratio') }} || ' % read', 'reads not stated'),
        coalesce(
            {{ size_label('block_bytes') }},
            {{ size_label('min_block_bytes') }} || ' to ' || {{ size_label('max_block_bytes') }},
            'block not stated'
        )
    ) || coalesce(
        ' (' || nullif(array_to_string(list_sort(list_distinct(published_names)), ', '), '') || ')',
        ''
    ) as profile_label,
    if(mean_block_bytes >= 65536, 'bytes_per_second', 'iops') as headline_metric,
from profiles
