-- Random IOPS of a RAID level relative to RAID 0 by share of reads: by what its writes cost, and as
-- measured with the same controller, drives and load. Small arrays whose writes cost less stand
-- apart. The shares are the measured ones, and 0, 50 and 100 % reads.
with pairs as (
    select
        points.*,
        profiles.read_ratio,
    from {{ ref('rpt_raid_levels') }} as points
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where profiles.random_ratio = 1 and profiles.read_ratio is not null
),

shares as (
    select read_ratio from pairs
    union distinct
    select cast(unnest([0, 0.5, 1]) as double) as read_ratio
),

ratios as (
    select
        raid_level,
        read_ratio,
        theoretical_ratio,
        measured_ratio,
        is_approximate,
        drive_count,
        false as is_of_level,
    from pairs
    where baseline_raid_level = 'RAID 0'
    union all by name
    select
        levels.raid_level,
        shares.read_ratio,
        1 / (
            shares.read_ratio + (1 - shares.read_ratio) * levels.random_write_operation_count
        ) as theoretical_ratio,
        true as is_of_level,
    from {{ ref('dim_raid_levels') }} as levels
    cross join shares
)

select
    raid_level,
    read_ratio,
    {{ percent_label('read_ratio') }} || ' % read' as read_label,
    min(theoretical_ratio) as theoretical_ratio,
    min(measured_ratio) as min_measured_ratio,
    max(measured_ratio) as max_measured_ratio,
    count(measured_ratio) as pair_count,
    raid_level || if(bool_or(is_of_level), '', ', ' || min(drive_count) || ' drives') || ': '
    || {{ rounded_percent('min(theoretical_ratio)') }} || ' in theory, '
    || coalesce(
        {{ percent_range(
            'min(measured_ratio)', 'max(measured_ratio)', 'bool_or(is_approximate)'
        ) }} || ' in ' || {{ counted('count(measured_ratio)', 'pair') }}, 'not measured'
    ) as theory_and_measured,
from ratios
group by raid_level, read_ratio, round(theoretical_ratio, 6)
