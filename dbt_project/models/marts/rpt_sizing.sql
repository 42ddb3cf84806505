-- What could be built, by prediction, and what was measured, in one shape: to be filtered by what
-- is wanted. Decimal megabytes and terabytes, since that is what people type in.
with candidates as (
    select * exclude (controller_id, drive, saturating_drive_count)
    from {{ ref('fct_predictions') }}
    union all by name
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
        as_printed,
        source_label,
    from {{ ref('measurements') }}
    where
        is_valid
        and not is_derived
        and drive_count is not null
        and coalesce(iops, bytes_per_second) is not null
)

select
    candidates.* replace (
        coalesce(candidates.controller, 'not stated') as controller,
        coalesce(candidates.raid_level, 'not stated') as raid_level
    ),
    coalesce(drives.drive, 'not stated') as drive,
    coalesce(drives.drive_media, 'not stated') as drive_media,
    concat_ws(', ', candidates.controller, candidates.raid_level, drives.drive) as design_label,
    drives.capacity_bytes / 1e12 as drive_terabytes,
    concat_ws(
        ', ', candidates.controller, candidates.raid_level,
        candidates.drive_count || ' x ' || coalesce(drives.drive, 'drives not stated')
    ) as sized_label,
    case
        when candidates.evidence = 'measured' then 'measured'
        when candidates.value_qualifier = 'at_most' then 'low'
        when candidates.evidence = 'printed limit' then 'high'
        else 'medium'
    end as confidence,
    profiles.profile_label,
    {{ mark('candidates.value_qualifier') }}
    || {{ quantity_label('candidates.iops', "'iops'") }} as qualified_iops,
    {{ mark('candidates.value_qualifier') }}
    || {{ quantity_label('candidates.bytes_per_second', "'bytes_per_second'") }}
        as qualified_throughput,
    candidates.bytes_per_second / 1e6 as megabytes_per_second,
    cast(
        (candidates.drive_count / levels.copy_count - levels.parity_drive_count)
        * drives.capacity_bytes / 1e12 as double
    ) as usable_terabytes,
from candidates
inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
left join {{ ref('dim_drives') }} as drives using (drive_id)
left join {{ ref('dim_raid_levels') }} as levels
    on
        coalesce(candidates.raid_level, if(candidates.drive_count = 1, 'JBOD', null))
        = levels.raid_level
