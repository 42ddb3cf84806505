-- A sidecar overrides the options. If both leave it open, the I/Os tell whether all were reads or
-- all writes, and the block size if all have one. For a job with an unreadable mix they also tell
-- the share of reads, in whole percents; without options a mix may differ from run to run. The
-- options of an entry with several jobs are ignored: they belong to only one of them.
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

loads as (
    select
        jobs.file_id,
        jobs.measurement_id,
        jobs.rw,
        jobs.kb_base,
        if(jobs.is_merged, null, jobs.block_option) as block_option,
        jobs.block_sizes,
        jobs.block_splits,
        jobs.has_options and not jobs.is_merged as has_block_options,
        coalesce(described.random_ratio, if(jobs.is_merged, null, jobs.random_ratio))
            as random_ratio,
        coalesce(described.read_ratio, if(jobs.is_merged, null, jobs.read_ratio))
            as stated_read_ratio,
        if(
            stated_read_ratio is null and (has_block_options or measured.is_one_way),
            measured.read_ratio, null
        ) as measured_read_ratio,
        coalesce(stated_read_ratio, measured_read_ratio) as read_ratio,
        if(described.block_bytes is null and not has_block_options, measured.block_bytes, null)
            as measured_block_bytes,
        coalesce(described.block_bytes, measured_block_bytes) as block_bytes,
        has_block_options and not jobs.is_block_range and described.block_bytes is null
            as has_blocks,
        nullif(concat_ws(
            ', ',
            jobs.derived_settings,
            'read_percent=' || {{ percent_label('measured_read_ratio') }},
            'block_size=' || {{ size_label('measured_block_bytes') }}
        ), '') as derived_settings,
    from {{ ref('int_fio__jobs') }} as jobs
    left join measured using (measurement_id)
    left join {{ ref('stg_files') }} as described using (source_id)
    where not jobs.is_part_of_another
),

-- Block sizes depend on the direction (HOWTO, bs and bssplit): `bs=4k,64k` is 4k for reads and 64k
-- for the rest, `bs=4k,` leaves writes at the default; in `bssplit=4k/70:64k/` a size without a
-- share gets the remainder. Sizes of reads and writes are weighted by their shares. A bsrange keeps
-- its text, and so do shares that do not add up to 1.
directions as (
    select
        measurement_id,
        kb_base,
        position,
        block_splits is null as is_whole,
        case
            when rw in ('trim', 'randtrim') then [0, 0, 1]
            when rw like '%trimwrite' then [0, 0.5, 0.5]
            else [read_ratio, 1 - read_ratio, 0]
        end as direction_ratios,
        direction_ratios[position] as direction_ratio,
        unnest(string_split(
            coalesce(
                nullif(block_splits[least(position, len(block_splits))], ''),
                block_splits[1],
                nullif(block_sizes[least(position, len(block_sizes))], ''),
                '4k'
            ), ':'
        )) as block,
    from loads
    cross join unnest([1, 2, 3]) as reads_writes_trims (position)
    where has_blocks
),

shares as (
    select
        measurement_id,
        {{ fio_size_bytes("string_split(block, '/')[1]", 'kb_base') }} as block_bytes,
        if(is_whole, 1, {{ fio_ratio("nullif(string_split(block, '/')[2], '')") }})
            as stated_ratio,
        direction_ratio * coalesce(
            stated_ratio,
            (1 - coalesce({{ ratio_sum('stated_ratio', 'job_direction') }}, 0))
            / count(*) filter (where stated_ratio is null) over job_direction
        ) as share_ratio,
    from directions
    where block != ''
    window job_direction as (partition by measurement_id, position)
),

blocks as (
    select
        measurement_id,
        block_bytes,
        round({{ ordered_sum('share_ratio') }}, 6) as share_ratio,
    from shares
    group by all
    having sum(share_ratio) > 0 and block_bytes is not null
),

profiles as (
    select
        loads.file_id,
        loads.measurement_id,
        loads.random_ratio,
        loads.read_ratio,
        loads.block_option,
        loads.derived_settings,
        case
            when count(loads.block_bytes) > 0
                then [struct_pack(block_bytes := min(loads.block_bytes), share_ratio := 1.0)]
            when abs(sum(blocks.share_ratio) - 1) <= 0.001
                then
                    list(
                        struct_pack(
                            block_bytes := blocks.block_bytes, share_ratio := blocks.share_ratio
                        )
                        order by blocks.block_bytes
                    ) filter (where blocks.block_bytes is not null)
        end as block_mix,
    from loads
    left join blocks using (measurement_id)
    group by all
)

select
    * replace (if(block_mix is null, block_option, null) as block_option),
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix', 'block_option') }} as profile_id,
    {{ plain_profile_name('random_ratio', 'read_ratio', 'block_mix', 'block_option') }}
        as profile_name,
    if(len(block_mix) = 1, block_mix[1].block_bytes, null) as block_bytes,
from profiles
