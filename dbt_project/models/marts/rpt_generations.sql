-- The best that was measured of each generation at a profile beside the best of every other one, of
-- arrays alike: the same RAID level, media and number of drives, or stated of neither. Where exact
-- values are printed, approximate ones of the same do not count.
with points as (
    select
        profile_id,
        profile_label,
        raid_level,
        drive_media,
        drive_count,
        controller_generation as generation_name,
        value_qualifier = 'approximate' as is_approximate,
        max(iops) as iops,
        max(bytes_per_second) as bytes_per_second,
        max(attained_ratio) as attained_ratio,
        count(*) as measurement_count,
        max_by(measurement_id, (coalesce(bytes_per_second, iops), measurement_id))
            as best_measurement_id,
        string_agg(distinct source_path, ', ' order by source_path) as source_paths,
    from {{ ref('measurements') }}
    where
        is_valid
        and controller_generation is not null
        and not is_derived
        and value_qualifier in ('exact', 'approximate')
        and coalesce(bytes_per_second, iops) is not null
    group by
        profile_id, profile_label, raid_level, drive_media, drive_count, generation_name,
        is_approximate
    qualify
        is_approximate = min(is_approximate) over (
            partition by generation_name, profile_id, raid_level, drive_media, drive_count
        )
)

select
    points.* replace (points.is_approximate or baseline.is_approximate as is_approximate),
    baseline.generation_name as baseline_generation_name,
    baseline.iops as baseline_iops,
    baseline.bytes_per_second as baseline_bytes_per_second,
    points.iops / baseline.iops as iops_ratio,
    points.bytes_per_second / baseline.bytes_per_second as throughput_ratio,
    coalesce(throughput_ratio, iops_ratio) as ratio,
    if(points.is_approximate or baseline.is_approximate, '≈ ', '')
    || points.generation_name || ': ' || concat_ws(
        ', ',
        points.profile_id,
        points.raid_level,
        points.drive_count || ' x ' || points.drive_media
    ) as comparison_label,
    baseline.best_measurement_id as baseline_measurement_id,
from points
inner join points as baseline
    on
        points.profile_id = baseline.profile_id
        and points.generation_name != baseline.generation_name
        and (points.raid_level, points.drive_media, points.drive_count)
        is not distinct from (baseline.raid_level, baseline.drive_media, baseline.drive_count)
