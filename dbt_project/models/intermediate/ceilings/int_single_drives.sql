-- What one drive does at a load profile, a row for each point that says so. What lies above the
-- drive's own link came out of a cache, and a lower bound or a value under a processor of its own
-- is no maximum. A model that a document rates as its series has the series' points too. Of own
-- runs the best of an array counts.
with models as (
    select distinct
        drive_id,
        drive_id as stated_drive_id,
    from {{ ref('int_measurements') }}
    where drive_id is not null
    union
    select
        drive_id,
        {{ slug('series') }} as stated_drive_id,
    from {{ ref('int_drives') }}
    where series is not null
)

select
    models.drive_id,
    points.profile_id,
    if(profiles.random_ratio = 0, profiles.read_ratio, null) as sequential_read_ratio,
    points.measurement_id,
    points.document_id,
    points.page,
    points.array_id,
    points.iops,
    points.bytes_per_second,
    points.value_qualifier != 'exact' as is_inexact,
    points.derivation is not null
    or points.is_derived
    or coalesce(points.converted_column = 'iops', false) as is_converted,
from {{ ref('int_measurements') }} as points
inner join models on points.drive_id = models.stated_drive_id
inner join {{ ref('int_load_profiles') }} as profiles using (profile_id)
left join {{ ref('int_drives') }} as drives on models.drive_id = drives.drive_id
left join {{ ref('dim_interfaces') }} as links on drives.drive_interface = links.interface
where
    points.drive_count = 1
    and coalesce(points.raid_level, 'JBOD') in ('JBOD', 'RAID 0')
    and points.is_valid
    and points.value_qualifier != 'at_least'
    and points.has_own_processor is not true
    and coalesce(points.iops, points.bytes_per_second) is not null
    and coalesce(points.bytes_per_second <= links.lane_theoretical_bytes_per_second, true)
qualify
    points.document_id is not null
    or row_number() over (
        partition by models.drive_id, points.profile_id, points.array_id
        order by
            coalesce(points.bytes_per_second, points.iops) desc, points.measurement_id asc
    ) = 1
