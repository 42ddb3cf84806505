-- What one drive does at a load profile, a row for each point that says so. What lies above the
-- drive's own link came out of a cache, and a lower bound or a value under a processor of its own
-- is no maximum. A model that a document rates as its series has the series' points too. Of own
-- runs the best of an array counts.
with links as (
    select
        drives.drive_id,
        {{ link_bytes_per_second('interfaces.line_rate_hz', 1, 'interfaces.encoding_ratio') }}
            as link_bytes_per_second,
    from {{ ref('int_drives') }} as drives
    inner join {{ ref('interfaces') }} as interfaces
        on drives.drive_interface = interfaces.interface
),

models as (
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
left join links on models.drive_id = links.drive_id
where
    points.drive_count = 1
    and coalesce(points.raid_level, 'JBOD') in ('JBOD', 'RAID 0')
    and points.is_valid
    and points.value_qualifier != 'at_least'
    and points.has_own_processor is not true
    and coalesce(points.iops, points.bytes_per_second) is not null
    and coalesce(points.bytes_per_second <= links.link_bytes_per_second, true)
qualify
    points.document_id is not null
    or row_number() over (
        partition by models.drive_id, points.profile_id, points.array_id
        order by
            coalesce(points.bytes_per_second, points.iops) desc, points.measurement_id asc
    ) = 1
