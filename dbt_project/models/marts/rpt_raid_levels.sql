-- Each RAID level beside RAID 0 of the same controller, drives, profile and load: measured, and as
-- its write penalty has it (random), or its drives of data (sequential). Where RAID 0 was not
-- measured under the same condition, its best under any stands beside, and both are shown. Stripes
-- are the same; mirrors of two have none. What is stated as "up to" is compared with its like only.
with measured as (
    select
        array_profiles.array_id,
        array_profiles.profile_id,
        array_profiles.raid_level,
        points.vendor,
        array_profiles.controller_id,
        array_profiles.drive_id,
        array_profiles.drive_count,
        points.stripe_bytes,
        points.outstanding_io_count,
        points.condition,
        points.value_qualifier = 'at_most' as is_bound,
        coalesce(points.document_id, points.source_format) as source,
        max(points.bytes_per_second) as bytes_per_second,
        arg_max(points.measurement_id, (points.bytes_per_second, points.measurement_id))
            as measurement_id,
        arg_max(
            points.value_qualifier = 'approximate', (points.bytes_per_second, points.measurement_id)
        ) as is_approximate,
        any_value(
            case
                when array_profiles.random_ratio = 1
                    then 1 / (
                        array_profiles.read_ratio
                        + array_profiles.write_ratio * array_profiles.operations_per_random_write
                    )
                when array_profiles.random_ratio = 0 and array_profiles.read_ratio = 0
                    then array_profiles.data_drive_count / array_profiles.drive_count
                when
                    array_profiles.random_ratio = 0 and array_profiles.read_ratio = 1
                    and array_profiles.drive_media = 'HDD' and array_profiles.parity_drive_count > 0
                    then array_profiles.data_drive_count / array_profiles.drive_count
                when array_profiles.random_ratio = 0 and array_profiles.read_ratio = 1 then 1
            end
        ) as theoretical_share,
    from {{ ref('int_array_profiles') }} as array_profiles
    inner join {{ ref('measurements') }} as points using (array_id, profile_id)
    where
        array_profiles.purpose = 'measured'
        and points.is_valid
        and not points.is_derived
        and points.value_qualifier in ('exact', 'approximate', 'at_most')
        and points.bytes_per_second is not null
    group by all
)

select
    level.source,
    coalesce(level.vendor, 'not stated') as vendor,
    level.controller_id,
    coalesce(controllers.controller, 'not stated') as controller,
    level.drive_id,
    level.drive_count,
    level.stripe_bytes,
    baseline.stripe_bytes as baseline_stripe_bytes,
    level.profile_id,
    profiles.profile_label,
    level.is_approximate or baseline.is_approximate as is_approximate,
    if(level.is_approximate or baseline.is_approximate, '≈ ', '') || concat_ws(
        ', ', level.raid_level, controllers.controller, level.drive_count || ' x ' || drives.drive,
        level.profile_id, 'QD ' || level.outstanding_io_count
    ) as comparison_label,
    level.outstanding_io_count,
    level.condition,
    baseline.condition as baseline_condition,
    level.raid_level,
    baseline.raid_level as baseline_raid_level,
    level.bytes_per_second,
    baseline.bytes_per_second as baseline_bytes_per_second,
    level.bytes_per_second / baseline.bytes_per_second as measured_ratio,
    cast(level.theoretical_share / baseline.theoretical_share as double) as theoretical_ratio,
    level.measurement_id,
    baseline.measurement_id as baseline_measurement_id,
from measured as level
inner join measured as baseline
    on
        level.source = baseline.source
        and level.controller_id is not distinct from baseline.controller_id
        and level.drive_id is not distinct from baseline.drive_id
        and level.drive_count is not distinct from baseline.drive_count
        and level.is_bound = baseline.is_bound
        and level.profile_id = baseline.profile_id
        and (
            level.stripe_bytes is not distinct from baseline.stripe_bytes
            or level.raid_level = 'RAID 1'
        )
        and level.outstanding_io_count is not distinct from baseline.outstanding_io_count
        and baseline.raid_level = 'RAID 0'
        and level.raid_level != 'RAID 0'
inner join {{ ref('dim_load_profiles') }} as profiles on level.profile_id = profiles.profile_id
left join {{ ref('dim_controllers') }} as controllers
    on level.controller_id = controllers.controller_id
left join {{ ref('dim_drives') }} as drives on level.drive_id = drives.drive_id
qualify row_number() over (
    partition by level.measurement_id, level.is_bound
    order by
        level.condition is not distinct from baseline.condition desc,
        baseline.bytes_per_second desc, baseline.measurement_id asc
) = 1
