-- Each RAID level compared with RAID 0 and every level with cheaper writes (or, at the same cost,
-- less parity), for the same controller, drives, profile and load: measured, and in theory by write
-- penalty (random) or data drives (sequential). If the other level was not measured under the same
-- condition, its best value is the baseline. Stripes are equal; RAID 1 has none. "Up to" is
-- compared only with "up to".
with measured as (
    select
        points.source,
        points.array_id,
        points.profile_id,
        points.profile_label,
        arrays.raid_level,
        points.vendor_label as vendor,
        arrays.controller_id,
        points.controller,
        arrays.drive_id,
        points.drive,
        arrays.drive_count,
        points.stripe_bytes,
        points.outstanding_io_count,
        points.condition,
        points.value_qualifier = 'at_most' as is_bound,
        points.headline_metric,
        arrays.random_write_operation_count as write_cost,
        arrays.parity_drive_count,
        case
            when arrays.random_ratio = 1
                then 1 / (
                    arrays.read_ratio + arrays.write_ratio * arrays.random_write_operation_count
                )
            when
                arrays.random_ratio = 0 and arrays.read_ratio = 1
                and (arrays.drive_media is distinct from 'HDD' or arrays.parity_drive_count = 0)
                then 1
            when arrays.random_ratio = 0 and arrays.read_ratio in (0, 1)
                then arrays.data_drive_count / arrays.drive_count
        end as theoretical_share,
        max(points.bytes_per_second) as bytes_per_second,
        max_by(points.measurement_id, (points.bytes_per_second, points.measurement_id))
            as measurement_id,
        max_by(points.headline_value, (points.bytes_per_second, points.measurement_id))
            as headline_value,
        max_by(points.source_label, (points.bytes_per_second, points.measurement_id))
            as source_label,
        max_by(
            points.value_qualifier = 'approximate', (points.bytes_per_second, points.measurement_id)
        ) as is_approximate,
    from {{ ref('rpt_measurements') }} as points
    inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
    where
        arrays.purpose = 'measured'
        and points.is_valid and not points.is_derived
        and points.value_qualifier in ('exact', 'approximate', 'at_most')
        and points.bytes_per_second is not null
        and points.is_superseded is not true
    group by all
)

select distinct on (measurement_id, baseline.raid_level)
    level.* exclude (
        array_id, drive, is_bound, theoretical_share, headline_metric, headline_value, write_cost,
        parity_drive_count
    ) replace (
        coalesce(level.controller, 'not reported') as controller,
        level.is_approximate or baseline.is_approximate as is_approximate
    ),
    concat_ws(
        ', ', level.raid_level, level.controller, level.drive_count || ' x ' || level.drive,
        profiles.profile_short_label,
        {{ counted('level.outstanding_io_count', 'outstanding I/O') }}
    ) || if(level.is_approximate or baseline.is_approximate, ' (about)', '') as comparison_label,
    baseline.stripe_bytes as baseline_stripe_bytes,
    baseline.condition as baseline_condition,
    baseline.raid_level as baseline_raid_level,
    if(
        level.condition is not distinct from baseline.condition, level.condition,
        concat_ws(
            '; ', level.raid_level || ': ' || level.condition,
            baseline.raid_level || ': ' || baseline.condition
        )
    ) as conditions_label,
    baseline.bytes_per_second as baseline_bytes_per_second,
    {{ compared_label('level.headline_value', 'level.headline_metric') }} as value_label,
    {{ compared_label('baseline.headline_value','level.headline_metric') }} as baseline_value_label,
    level.bytes_per_second / baseline.bytes_per_second as measured_ratio,
    cast(level.theoretical_share / baseline.theoretical_share as double) as theoretical_ratio,
    baseline.measurement_id as baseline_measurement_id,
from measured as level
inner join {{ ref('dim_load_profiles') }} as profiles on level.profile_id = profiles.profile_id
inner join measured as baseline
    on
        (
            level.raid_level != 'RAID 0' and baseline.raid_level = 'RAID 0'
            or baseline.raid_level != 'JBOD'
            and (
                level.write_cost > baseline.write_cost
                or level.write_cost = baseline.write_cost
                and level.parity_drive_count > baseline.parity_drive_count
            )
        )
        and (level.source, level.profile_id, level.is_bound)
        = (baseline.source, baseline.profile_id, baseline.is_bound)
        and (level.controller_id, level.drive_id, level.drive_count, level.outstanding_io_count)
        is not distinct from (
            baseline.controller_id, baseline.drive_id, baseline.drive_count,
            baseline.outstanding_io_count
        )
        and (
            level.stripe_bytes is not distinct from baseline.stripe_bytes
            or level.raid_level = 'RAID 1'
        )
order by
    level.condition is not distinct from baseline.condition desc,
    baseline.bytes_per_second desc, baseline.measurement_id asc
