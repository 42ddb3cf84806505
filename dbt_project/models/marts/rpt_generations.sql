-- The best that was measured of each generation at a profile, whatever the array, beside the best
-- of every other generation.
with points as (
    select
        controller_generation as generation_name,
        profile_id,
        max(bytes_per_second) as bytes_per_second,
        max(iops) as iops,
        min(latency_mean_us) as latency_mean_us,
        max(attained_ratio) as attained_ratio,
        count(*) as measurement_count,
        arg_max(measurement_id, coalesce(bytes_per_second, iops)) as best_measurement_id,
        string_agg(distinct source_path, ', ' order by source_path) as source_paths,
    from {{ ref('measurements') }}
    where is_valid and controller_generation is not null and not is_derived
    group by controller_generation, profile_id
)

select
    points.profile_id,
    points.generation_name,
    baseline.generation_name as baseline_generation_name,
    points.iops,
    points.bytes_per_second,
    points.latency_mean_us,
    points.attained_ratio,
    points.iops / baseline.iops as iops_ratio,
    points.bytes_per_second / baseline.bytes_per_second as throughput_ratio,
    points.latency_mean_us / baseline.latency_mean_us as latency_ratio,
    points.measurement_count,
    points.best_measurement_id,
    baseline.best_measurement_id as baseline_measurement_id,
    points.source_paths,
from points
inner join points as baseline
    on
        points.profile_id = baseline.profile_id
        and points.generation_name != baseline.generation_name
