-- Block sizes go by direction (HOWTO, bs and bssplit): `bs=4k,64k` is 4k for reads and 64k for the
-- rest, `bs=4k,` leaves writes at the default; `bssplit=4k/70:64k/` gives a size without a share
-- what is left. Those of reads and writes weigh by their shares. Of a bsrange the text stays, and
-- of shares that are no whole.
with directions as (
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
    from {{ ref('int_fio__loads') }}
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
    from {{ ref('int_fio__loads') }} as loads
    left join blocks using (measurement_id)
    group by all
)

select
    * replace (if(block_mix is null, block_option, null) as block_option),
    {{ profile_id('random_ratio', 'read_ratio', 'block_mix', 'block_option') }} as profile_id,
    {{ plain_profile_name('random_ratio', 'read_ratio', 'block_mix', 'block_option') }}
        as profile_name,
from profiles
