-- Random IOPS of a RAID level relative to RAID 0 by share of reads: from the write penalty, and as
-- measured with the same controller, drives and load. The shares are the measured ones, and 0, 50
-- and 100 % reads.
with shares as (
    select distinct profiles.read_ratio
    from {{ ref('rpt_raid_levels') }}
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where profiles.random_ratio = 1 and profiles.read_ratio is not null
    union distinct
    select cast(unnest([0, 0.5, 1]) as double) as read_ratio
),

measured as (
    select
        points.raid_level,
        profiles.read_ratio,
        min(points.measured_ratio) as min_measured_ratio,
        max(points.measured_ratio) as max_measured_ratio,
        bool_or(points.is_approximate) as is_approximate,
        count(*) as pair_count,
    from {{ ref('rpt_raid_levels') }} as points
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where profiles.random_ratio = 1 and points.baseline_raid_level = 'RAID 0'
    group by points.raid_level, profiles.read_ratio
)

select
    levels.raid_level,
    shares.read_ratio,
    {{ percent_label('shares.read_ratio') }} || ' % read' as read_label,
    cast(
        1 / (
            shares.read_ratio + (1 - shares.read_ratio) * levels.random_write_operation_count
        ) as double
    ) as theoretical_ratio,
    measured.min_measured_ratio,
    measured.max_measured_ratio,
    measured.pair_count,
    levels.raid_level || ': ' || {{ rounded_percent('theoretical_ratio') }} || ' in theory, '
    || coalesce(
        {{ percent_range(
            'measured.min_measured_ratio', 'measured.max_measured_ratio', 'measured.is_approximate'
        ) }} || ' measured in ' || {{ counted('measured.pair_count', 'pair') }}, 'not measured'
    ) as theory_and_measured,
from {{ ref('dim_raid_levels') }} as levels
cross join shares
left join measured using (raid_level, read_ratio)
