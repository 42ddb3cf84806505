-- The rate of one drive at each load profile at which it was measured alone. Values above the rate
-- of the drive's own link come from a cache; they are skipped, as are lower bounds and values with
-- a named processor. Blocks below 64 KiB do not show what a drive does in sequence. A model that a
-- document rates as its series also has the series' points. Own runs count with the best of each
-- array; of points within a tenth an exact one wins over others, a printed one over a converted
-- one. There is one set with all values, and one for each value that a back-test leaves out.
with models as (
    select
        drive_id,
        drive_id as stated_drive_id,
    from {{ ref('fct_measurements') }}
    union
    select
        drive_id,
        {{ slug('series') }} as stated_drive_id,
    from {{ ref('int_drives') }}
),

points as (
    select
        measurements.* replace (models.drive_id as drive_id),
        if(
            profiles.random_ratio = 0
            and coalesce(profiles.block_mix[1].block_bytes >= 65536, true),
            profiles.read_ratio, null
        ) as sequential_read_ratio,
        coalesce(measurements.bytes_per_second, measurements.iops) as rate,
        derivation is not null or is_derived or coalesce(converted_column = 'iops', false)
            as is_converted,
    from {{ ref('fct_measurements') }} as measurements
    inner join models on measurements.drive_id = models.stated_drive_id
    inner join {{ ref('int_load_profiles') }} as profiles using (profile_id)
    left join {{ ref('int_drives') }} as drives on models.drive_id = drives.drive_id
    left join {{ ref('dim_interfaces') }} as links
        on drives.drive_interface = links.interface and links.interface not like 'PCIe %'
    where
        drive_count = 1
        and coalesce(raid_level, 'JBOD') in ('JBOD', 'RAID 0')
        and is_valid
        and value_qualifier != 'at_least'
        and has_own_processor is not true
        and rate is not null
        and measurements.is_example is not true
        and coalesce(measurements.combined_id, measurements.part_count::varchar) is null
        and coalesce(bytes_per_second <= links.lane_theoretical_bytes_per_second, true)
    qualify
        measurements.document_id is not null
        or row_number() over (
            partition by models.drive_id, profile_id, array_id
            order by rate desc, measurement_id asc
        ) = 1
),

leaving_out as (
    select
        *,
        measurement_id as left_out,
    from ({{ back_tests() }}) as tested
    where drive_id is not null
    union all by name
    select distinct drive_id from points
)

select distinct on (points.drive_id, points.profile_id, leaving_out.left_out)
    points.drive_id,
    points.profile_id,
    leaving_out.left_out,
    points.sequential_read_ratio,
    points.iops,
    points.bytes_per_second,
    points.measurement_id,
from points
inner join leaving_out using (drive_id)
where
    (
        points.profile_id = coalesce(leaving_out.profile_id, points.profile_id)
        or points.sequential_read_ratio in (0, 1)
    )
    and not coalesce({{ is_left_out('points', 'leaving_out') }}, false)
order by
    points.rate < 0.9 * max(points.rate) over (
        partition by points.drive_id, points.profile_id, leaving_out.left_out
    ) asc,
    points.value_qualifier = 'exact' desc,
    points.is_converted asc,
    points.rate desc,
    points.measurement_id asc
