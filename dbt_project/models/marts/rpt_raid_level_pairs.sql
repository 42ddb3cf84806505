-- Random writes of one RAID level relative to one whose writes cost less, on the same drives: by
-- the drive operations per write, and as measured at random profiles with writes, each with the
-- theoretical ratio at its share of reads, because reads cost no more.
with measured as (
    select
        pairs.raid_level,
        pairs.baseline_raid_level,
        profiles.profile_short_label as profile_name,
        min(pairs.measured_ratio) as least_ratio,
        max(pairs.measured_ratio) as most_ratio,
        {{ percent_range('least_ratio', 'most_ratio', 'bool_or(pairs.is_approximate)') }}
        || coalesce(
            ' (in theory ' || {{ rounded_percent('max(pairs.theoretical_ratio)') }} || ')', ''
        ) as ratio_label,
        list(distinct pairs.source_label) as source_labels,
    from {{ ref('rpt_raid_levels') }} as pairs
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where profiles.read_ratio < 1 and profiles.random_ratio = 1
    group by pairs.raid_level, pairs.baseline_raid_level, profile_name
),

summaries as (
    select
        raid_level,
        baseline_raid_level,
        string_agg(profile_name || ': ' || ratio_label, '; ' order by profile_name)
            as measured_label,
        array_to_string(list_sort(list_distinct(flatten(list(source_labels)))), '; ')
            as source_labels,
    from measured
    group by raid_level, baseline_raid_level
)

select
    levels.raid_level,
    baselines.raid_level as baseline_raid_level,
    cast(
        baselines.random_write_operation_count / levels.random_write_operation_count as double
    ) as random_write_ratio,
    {{ short('levels.random_write_operation_count') }} || ' against '
    || {{ short('baselines.random_write_operation_count') }} as operations_label,
    levels.raid_level || ' does ' || {{ rounded_percent('random_write_ratio') }}
    || ' of the random writes of ' || baselines.raid_level as verdict,
    summaries.measured_label,
    summaries.source_labels,
from {{ ref('dim_raid_levels') }} as levels
inner join {{ ref('dim_raid_levels') }} as baselines
    on levels.random_write_operation_count > baselines.random_write_operation_count
left join summaries
    on
        levels.raid_level = summaries.raid_level
        and baselines.raid_level = summaries.baseline_raid_level
