-- Block sizes go by direction (HOWTO, bs and bssplit): `bs=4k,64k` is 4k for reads and 64k for the
-- rest, `bs=4k,` leaves writes at the default; `bssplit=4k/70:64k/` gives a size without a share
-- what is left. Those of reads and writes weigh by their shares. Of a bsrange the text stays, and
-- of shares that are no whole. A sidecar goes before the options. What neither of them says the
-- I/Os do: how many were reads, in whole percents, and their size if all have one.
with measured as (
    select
        measurement_id,
        case
            when not bool_and(direction in ('read', 'write')) then null
            when min(direction) = max(direction) then if(min(direction) = 'read', 1.0, 0.0)
            else round(
                sum(io_count) filter (where direction = 'read') / nullif(sum(io_count), 0), 2
            )
        end as share_ratio,
        if(share_ratio in (0, 1) and min(direction) != max(direction), null, share_ratio)
            as read_ratio,
        case
            when count(io_size_bytes) = count(*) and min(io_size_bytes) = max(io_size_bytes)
                then min(io_size_bytes)
        end as io_size_bytes,
    from {{ ref('int_fio__directions') }}
    where is_of_load
    group by measurement_id
),

jobs as (
    select
        jobs.* replace (
            coalesce(
                described.random_ratio, if(jobs.is_merged, null, jobs.random_ratio)
            ) as random_ratio,
            coalesce(
                described.read_ratio, if(jobs.is_merged, null, jobs.read_ratio),
                measured.read_ratio
            ) as read_ratio,
            if(jobs.is_merged, null, jobs.block_option) as block_option,
            nullif(concat_ws(
                ', ',
                jobs.derived_settings,
                'read_percent=' || if(
                    described.read_ratio is null and (jobs.is_merged or jobs.read_ratio is null),
                    {{ percent_label('measured.read_ratio') }}, null
                ),
                'block_size=' || if(
                    described.block_bytes is null and (jobs.is_merged or not jobs.has_options),
                    {{ size_label('measured.io_size_bytes') }}, null
                )
            ), '') as derived_settings
        ),
        coalesce(
            described.block_bytes,
            if(jobs.is_merged or not jobs.has_options, measured.io_size_bytes, null)
        ) as io_size_bytes,
    from {{ ref('int_fio__jobs') }} as jobs
    left join {{ ref('stg_files') }} as described using (source_id)
    left join measured using (measurement_id)
    where not jobs.is_part_of_another
),

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
    from jobs
    cross join unnest([1, 2, 3]) as reads_writes_trims (position)
    where has_options and not is_merged and not is_block_range and io_size_bytes is null
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
        jobs.measurement_id,
        jobs.random_ratio,
        jobs.read_ratio,
        jobs.block_option,
        jobs.derived_settings,
        case
            when count(jobs.io_size_bytes) > 0
                then [struct_pack(block_bytes := min(jobs.io_size_bytes), share_ratio := 1.0)]
            when abs(sum(blocks.share_ratio) - 1) <= 0.001
                then
                    list(
                        struct_pack(
                            block_bytes := blocks.block_bytes, share_ratio := blocks.share_ratio
                        )
                        order by blocks.block_bytes
                    ) filter (where blocks.block_bytes is not null)
        end as block_mix,
    from jobs
    left join blocks using (measurement_id)
    group by all
)

select
    * replace (if(block_mix is null, block_option, null) as block_option),
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix', 'block_option') }} as profile_id,
    {{ plain_profile_name('random_ratio', 'read_ratio', 'block_mix', 'block_option') }}
        as profile_name,
from profiles
