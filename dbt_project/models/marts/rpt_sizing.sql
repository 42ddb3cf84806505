-- What could be built, by prediction, and what was measured, in one shape: to be filtered by what
-- is wanted. Decimal megabytes and terabytes, since that is what people type in.
with predicted as (
    select
        evidence,
        controller,
        raid_level,
        drive_id,
        drive_count,
        needs_expander,
        profile_id,
        iops,
        bytes_per_second,
        value_qualifier,
        low_iops,
        high_iops,
        low_bytes_per_second,
        high_bytes_per_second,
        binding_ceiling,
        missing_limits,
        formula,
    from {{ ref('fct_predictions') }}
),

measured as (
    select
        'measured' as evidence,
        controller,
        raid_level,
        drive_id,
        drive_count,
        profile_id,
        iops,
        bytes_per_second,
        latency_mean_us,
        binding_ceiling,
        measurement_id,
        value_qualifier,
    from {{ ref('measurements') }}
    where
        is_valid
        and not is_derived
        and drive_count is not null
        and coalesce(iops, bytes_per_second) is not null
),

candidates as (
    select * from predicted
    union all by name
    select * from measured
)

select
    candidates.evidence,
    coalesce(candidates.controller, 'not stated') as controller,
    coalesce(candidates.raid_level, 'not stated') as raid_level,
    candidates.drive_id,
    coalesce(drives.drive, 'not stated') as drive,
    coalesce(drives.drive_media, 'not stated') as drive_media,
    concat_ws(', ', candidates.controller, candidates.raid_level, drives.drive) as design_label,
    design_label || if(candidates.value_qualifier = 'at_most', ': at least', '') as needed_label,
    candidates.drive_count,
    candidates.needs_expander,
    candidates.profile_id,
    profiles.profile_label,
    candidates.iops,
    candidates.bytes_per_second,
    candidates.low_iops,
    candidates.high_iops,
    candidates.low_bytes_per_second,
    candidates.high_bytes_per_second,
    {{ qualified('candidates.value_qualifier') }}
    || {{ quantity_label('candidates.iops', "'iops'") }} as qualified_iops,
    {{ qualified('candidates.value_qualifier') }}
    || {{ quantity_label('candidates.bytes_per_second', "'bytes_per_second'") }}
        as qualified_throughput,
    candidates.bytes_per_second / 1e6 as megabytes_per_second,
    candidates.latency_mean_us,
    cast(
        (candidates.drive_count / levels.copy_count - levels.parity_drive_count)
        * drives.capacity_bytes / 1e12 as double
    ) as usable_terabytes,
    candidates.binding_ceiling,
    candidates.missing_limits,
    candidates.formula,
    candidates.value_qualifier,
    candidates.measurement_id,
from candidates
inner join {{ ref('dim_load_profiles') }} as profiles
    on candidates.profile_id = profiles.profile_id
left join {{ ref('dim_drives') }} as drives on candidates.drive_id = drives.drive_id
left join {{ ref('dim_raid_levels') }} as levels
    on
        coalesce(
            candidates.raid_level, case when candidates.drive_count = 1 then 'JBOD' end
        ) = levels.raid_level
