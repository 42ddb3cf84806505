-- A sidecar goes before the options. What neither of them says the I/Os do: how many were reads, in
-- whole percents, and their size if all have one. Of several jobs in one entry the options are of
-- only one.
with measured as (
    select
        measurement_id,
        case
            when not bool_and(direction in ('read', 'write')) then null
            when min(direction) = max(direction) then if(min(direction) = 'read', 1.0, 0.0)
            else round(
                sum(io_count) filter (where direction = 'read') / nullif(sum(io_count), 0), 2
            )
        end as read_share_ratio,
        if(read_share_ratio in (0, 1) and min(direction) != max(direction), null, read_share_ratio)
            as read_ratio,
        case
            when count(io_size_bytes) = count(*) and min(io_size_bytes) = max(io_size_bytes)
                then min(io_size_bytes)
        end as block_bytes,
    from {{ ref('int_fio__directions') }}
    where is_of_load
    group by measurement_id
),

jobs as (
    select
        * replace (
            if(is_merged, null, random_ratio) as random_ratio,
            if(is_merged, null, read_ratio) as read_ratio,
            if(is_merged, null, block_option) as block_option
        ),
        has_options and not is_merged as has_blocks,
    from {{ ref('int_fio__jobs') }}
    where not is_part_of_another
)

select
    jobs.measurement_id,
    jobs.rw,
    jobs.kb_base,
    jobs.block_option,
    jobs.block_sizes,
    jobs.block_splits,
    coalesce(described.random_ratio, jobs.random_ratio) as random_ratio,
    coalesce(described.read_ratio, jobs.read_ratio, measured.read_ratio) as read_ratio,
    coalesce(described.block_bytes, if(jobs.has_blocks, null, measured.block_bytes))
        as block_bytes,
    jobs.has_blocks and not jobs.is_block_range and described.block_bytes is null as has_blocks,
    nullif(concat_ws(
        ', ',
        jobs.derived_settings,
        'read_percent=' || if(
            coalesce(described.read_ratio, jobs.read_ratio) is null,
            {{ percent_label('measured.read_ratio') }}, null
        ),
        'block_size=' || if(
            described.block_bytes is null and not jobs.has_blocks,
            {{ size_label('measured.block_bytes') }}, null
        )
    ), '') as derived_settings,
from jobs
left join {{ ref('stg_files') }} as described using (source_id)
left join measured using (measurement_id)
