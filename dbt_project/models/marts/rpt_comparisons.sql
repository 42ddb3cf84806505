-- Any two systems at one profile that differ in their controller: RAID level, drives, their number
-- and the load are the same, or not stated of either; stripes too, unless the two have none in
-- common. Each is the baseline of the other. Vendor and generation that sidecars say differently
-- are the first by name.
with points as (
    select
        profile_id,
        raid_level,
        drive_id,
        drive_count,
        stripe_bytes,
        outstanding_io_count,
        condition,
        controller_id,
        any_value(controller) as controller,
        min(vendor) as vendor,
        min(controller_generation) as controller_generation,
        max(iops) as iops,
        max(bytes_per_second) as bytes_per_second,
        min(latency_mean_us) as latency_mean_us,
        string_agg(measurement_id, ', ' order by measurement_id) as measurement_ids,
    from {{ ref('measurements') }}
    where is_valid and controller_id is not null and not is_derived
    group by all
)

select
    points.*,
    baseline.stripe_bytes as baseline_stripe_bytes,
    baseline.controller_id as baseline_controller_id,
    baseline.controller as baseline_controller,
    baseline.vendor as baseline_vendor,
    baseline.controller_generation as baseline_controller_generation,
    points.iops / baseline.iops as iops_ratio,
    points.bytes_per_second / baseline.bytes_per_second as throughput_ratio,
    points.latency_mean_us / baseline.latency_mean_us as latency_ratio,
    baseline.measurement_ids as baseline_measurement_ids,
from points
inner join points as baseline
    on
        points.controller_id != baseline.controller_id
        and points.profile_id = baseline.profile_id
        and points.raid_level is not distinct from baseline.raid_level
        and points.drive_id is not distinct from baseline.drive_id
        and points.drive_count is not distinct from baseline.drive_count
        and points.outstanding_io_count is not distinct from baseline.outstanding_io_count
        and points.condition is not distinct from baseline.condition
qualify
    points.stripe_bytes is not distinct from baseline.stripe_bytes
    or not bool_or(points.stripe_bytes is not distinct from baseline.stripe_bytes) over (
        partition by
            points.controller_id, baseline.controller_id, points.profile_id, points.raid_level,
            points.drive_id, points.drive_count, points.outstanding_io_count, points.condition
    )
