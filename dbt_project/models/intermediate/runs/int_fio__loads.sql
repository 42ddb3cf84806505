-- A sidecar goes before the options. What neither of them says the I/Os do: whether all were reads
-- or all writes, and their size if all have one. Of a job whose mix cannot be read they also say
-- how many were reads, in whole percents; of others a mix may differ from run to run. Of several
-- jobs in one entry the options are of only one.
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
        min(direction) = max(direction) as is_one_way,
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
        jobs.* replace (
            if(jobs.is_merged, null, jobs.random_ratio) as random_ratio,
            if(jobs.is_merged, null, jobs.read_ratio) as read_ratio,
            if(jobs.is_merged, null, jobs.block_option) as block_option
        ),
        jobs.has_options and not jobs.is_merged as has_blocks,
        if(has_blocks or measured.is_one_way, measured.read_ratio, null) as measured_read_ratio,
        measured.block_bytes as measured_block_bytes,
    from {{ ref('int_fio__jobs') }} as jobs
    left join measured using (measurement_id)
    where not jobs.is_part_of_another
)

select
    jobs.file_id,
    jobs.measurement_id,
    jobs.rw,
    jobs.kb_base,
    jobs.block_option,
    jobs.block_sizes,
    jobs.block_splits,
    coalesce(described.random_ratio, jobs.random_ratio) as random_ratio,
    coalesce(described.read_ratio, jobs.read_ratio, jobs.measured_read_ratio) as read_ratio,
    coalesce(described.block_bytes, if(jobs.has_blocks, null, jobs.measured_block_bytes))
        as block_bytes,
    jobs.has_blocks and not jobs.is_block_range and described.block_bytes is null as has_blocks,
    nullif(concat_ws(
        ', ',
        jobs.derived_settings,
        'read_percent=' || if(
            coalesce(described.read_ratio, jobs.read_ratio) is null,
            {{ percent_label('jobs.measured_read_ratio') }}, null
        ),
        'block_size=' || if(
            described.block_bytes is null and not jobs.has_blocks,
            {{ size_label('jobs.measured_block_bytes') }}, null
        )
    ), '') as derived_settings,
from jobs
left join {{ ref('stg_files') }} as described using (source_id)
