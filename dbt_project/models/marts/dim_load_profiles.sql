-- A profile is labelled with its publishers' names for it, unless they only repeat its definition.
with described as (
    select
        *,
        case
            when random_ratio = 1 then 'random'
            when random_ratio = 0 then 'sequential'
            when random_ratio is not null then 'mixed'
        end as access_pattern,
        block_mix[1].block_bytes as min_block_bytes,
        block_mix[-1].block_bytes as max_block_bytes,
        concat_ws(
            ', ',
            case
                when access_pattern = 'mixed'
                    then {{ percent_label('random_ratio') }} || ' % random'
                else coalesce(access_pattern, 'access not reported')
            end,
            coalesce({{ percent_label('read_ratio') }} || ' % read', 'reads not reported'),
            coalesce(
                {{ size_label('block_bytes') }},
                {{ size_label('min_block_bytes') }} || ' to '
                || {{ size_label('max_block_bytes') }},
                'block not reported'
            )
        ) as shape,
        array_to_string(
            list_filter(
                published_names,
                lambda name: not regexp_matches(lower(name), 'rand|sequential|\b(read|write)\b|%')
            ), ', '
        ) as names,
    from {{ ref('int_load_profiles') }}
)

select
    * exclude (published_names, shape, names) replace (
        array_to_string(profile_names, '; ') as profile_names,
        array_to_string(
            list_transform(
                block_mix,
                lambda part: {{ size_label('part.block_bytes') }}
                || coalesce(' ' || {{ percent_label('part.share_ratio') }} || ' %', '')
            ), ', '
        ) as block_mix
    ),
    coalesce(len(block_mix), 1) as block_size_count,
    coalesce(nullif(names, '') || ' (' || shape || ')', shape) as profile_label,
    -- two publishers may use one name for different loads
    case
        when count(*) over (partition by coalesce(nullif(names, ''), shape)) = 1
            then coalesce(nullif(names, ''), shape)
        when count(*) over (partition by profile_label) = 1 then profile_label
        else profile_label || ', ' || profile_id
    end as profile_short_label,
    -- papers that print a sequential rate without its block size print throughput
    if(
        mean_block_bytes >= 65536 or access_pattern = 'sequential' and max_block_bytes is null,
        'bytes_per_second', 'iops'
    ) as headline_metric,
from described
