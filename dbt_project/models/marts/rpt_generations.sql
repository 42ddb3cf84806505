-- The highest value of each generation at a profile compared with that of every other, for arrays
-- of the same RAID level, media and number of drives, or where neither reports it. An array's value
-- is the one on all boards, the median of repeated runs. An approximate value counts only where no
-- exact one is printed. A side is labelled with the controllers that reach its highest value.
with points as (
    select
        *,
        controller_generation as generation_name,
        value_qualifier = 'approximate' as is_approximate,
        max(headline_value) over same_array_type as best_value,
    from {{ ref('int_array_values') }}
    where controller_generation is not null and value_qualifier in ('exact', 'approximate')
    window
        same_array_type as (
            partition by
                generation_name, profile_id, raid_level, drive_media, drive_count, is_approximate
        )
    qualify
        is_approximate = min(is_approximate) over (
            partition by generation_name, profile_id, raid_level, drive_media, drive_count
        )
),

best as (
    select
        profile_id,
        profile_label,
        profile_short_label,
        headline_metric,
        raid_level,
        drive_media,
        drive_count,
        generation_name,
        is_approximate,
        best_value as headline_value,
        min(min_headline_value) as min_headline_value,
        max(max_headline_value) as max_headline_value,
        max(run_count) as run_count,
        string_agg(distinct controller, ' / ' order by controller) as controllers,
        max(measurement_id) as best_measurement_id,
        max_by(source_label, measurement_id) as source_label,
    from points
    where headline_value = best_value
    group by all
),

sides as (
    select
        *,
        if(is_approximate, '≈ ', '') || {{ compared_label('headline_value', 'headline_metric') }}
        || if(
            run_count > 1,
            ' (' || {{ compared_label('min_headline_value', 'headline_metric') }} || ' to '
            || {{ compared_label('max_headline_value', 'headline_metric') }} || ', '
            || run_count || ' runs)', ''
        ) as value_label,
        case
            when controllers = generation_name then generation_name
            else coalesce(
                controllers || ' (' || generation_name || ')', generation_name || ' controllers'
            )
        end as controllers_label,
    from best
)

select
    more.profile_id,
    more.profile_label,
    more.profile_short_label,
    more.headline_metric,
    more.raid_level,
    more.drive_media,
    more.drive_count,
    concat_ws(
        ', ', more.raid_level,
        {{ drives_label('more.drive_count', 'null', 'more.drive_media') }}
    ) as configuration_label,
    more.drive_media is not null
    and more.drive_count is not null
    and (more.raid_level is not null or more.drive_count = 1) as is_configuration_known,
    more.generation_name,
    more.controllers_label,
    more.headline_value,
    more.value_label,
    less.generation_name as baseline_generation_name,
    less.controllers_label as baseline_controllers_label,
    less.headline_value as baseline_headline_value,
    less.value_label as baseline_value_label,
    more.headline_value / less.headline_value as ratio,
    more.is_approximate or less.is_approximate as is_approximate,
    more.min_headline_value < less.max_headline_value
    and less.min_headline_value < more.max_headline_value as has_overlap,
    if(more.is_approximate or less.is_approximate or has_overlap, '≈ ', '')
    || {{ times_label('ratio') }} as factor_label,
    (ratio, less.generation_name) > (1, more.generation_name) as is_faster,
    more.source_label,
    more.best_measurement_id,
    less.best_measurement_id as baseline_measurement_id,
from sides as more
inner join sides as less
    on
        more.profile_id = less.profile_id
        and more.generation_name != less.generation_name
        and (more.raid_level, more.drive_media, more.drive_count)
        is not distinct from (less.raid_level, less.drive_media, less.drive_count)
