select
    * exclude (published_names) replace (
        array_to_string(profile_names, '; ') as profile_names,
        array_to_string(
            list_transform(
                block_mix,
                lambda part: {{ size_label('part.block_bytes') }}
                || coalesce(' ' || {{ percent_label('part.share_ratio') }} || ' %', '')
            ), ', '
        ) as block_mix
    ),
    case
        when random_ratio = 1 then 'random'
        when random_ratio = 0 then 'sequential'
        when random_ratio is not null then 'mixed'
    end as access_pattern,
    block_mix[1].block_bytes as min_block_bytes,
    block_mix[-1].block_bytes as max_block_bytes,
    coalesce(len(block_mix), 1) as block_size_count,
    concat_ws(
        ', ',
        case
            when access_pattern = 'mixed' then {{ percent_label('random_ratio') }} || ' % random'
            else coalesce(access_pattern, 'access not stated')
        end,
        coalesce({{ percent_label('read_ratio') }} || ' % read', 'reads not stated'),
        coalesce(
            {{ size_label('block_bytes') }},
            {{ size_label('min_block_bytes') }} || ' to ' || {{ size_label('max_block_bytes') }},
            'block not stated'
        )
    ) || coalesce(' (' || array_to_string(published_names, ', ') || ')', '') as profile_label,
    if(mean_block_bytes >= 65536, 'bytes_per_second', 'iops') as headline_metric,
from {{ ref('int_load_profiles') }}
