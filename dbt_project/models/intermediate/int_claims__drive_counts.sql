-- How many drives a controller takes to do its most at a RAID level and profile: that, over what
-- one drive does there. The most counts only if measured with more drives than that; where it was
-- not, the links say how many drives they have room for.
with claims as (
    select
        claim_id,
        document_id,
        claimed_value,
        wanted_drives,
        drives as drive,
        raid_levels as raid_level,
        controllers as controller,
        unnest(wanted_profiles) as profile_tag,
    from {{ ref('int_claims__wanted') }}
    where metric = 'drives_to_saturate'
),

links as (
    select
        controller_id,
        max(host_bytes_per_second) * {{ practical_ratio() }} as host_bytes_per_second,
        max(disk_bytes_per_second * disk_link_count) * {{ practical_ratio() }}
            as disk_bytes_per_second,
    from {{ ref('int_links') }}
    group by controller_id
),

singles as (
    select
        claims.*,
        points.profile_id,
        points.measurement_id,
        points.value as iops,
        profiles.profile_read_ratio as read_ratio,
        1 - profiles.profile_read_ratio as write_ratio,
        profiles.block_bytes,
    from claims
    inner join {{ ref('int_claims__points') }} as points
        on
            claims.document_id = points.document_id
            and points.metric = 'iops'
            and points.is_single
            and not points.is_derived
            and list_contains(points.tags, claims.profile_tag)
            and list_has_any(points.tags, claims.wanted_drives)
    inner join {{ ref('int_claims__profiles') }} as profiles using (profile_id)
    qualify
        row_number() over (
            partition by claims.claim_id, claims.profile_tag
            order by points.value desc, points.measurement_id asc
        ) = 1
),

drives as (
    select
        singles.*,
        singles.iops / (read_ratio + write_ratio * raid_levels.operations_per_random_write)
            as drive_iops,
        least(
            links.host_bytes_per_second / greatest(read_ratio, write_ratio),
            links.disk_bytes_per_second / greatest(
                read_ratio + write_ratio * raid_levels.random_extra_bytes_read,
                write_ratio * raid_levels.random_bytes_written
            )
        ) / singles.block_bytes as link_iops,
    from singles
    inner join {{ ref('raid_levels') }} as raid_levels using (raid_level)
    left join links on {{ slug('singles.controller') }} = links.controller_id
)

select
    drives.*,
    most.measurement_id as most_measurement_id,
    most.iops as most_iops,
    if(most.is_stand_in, ' (' || most.controller || ', but for its cache the same)', '')
        as stand_in,
    ceil(coalesce(most.iops, drives.link_iops) / drives.drive_iops) as needed_count,
from drives
left join {{ ref('int_claims__controller_maxima') }} as most
    on
        drives.controller = most.claimed_controller
        and drives.document_id = most.document_id
        and drives.raid_level = most.raid_level
        and drives.profile_id = most.profile_id
        and coalesce(drives.drive = most.drive, true)
        and coalesce(most.drive_count > most.iops / drives.drive_iops, true)
qualify
    row_number() over (
        partition by drives.claim_id, drives.profile_tag
        order by most.is_stand_in asc nulls last, most.iops desc, most.measurement_id asc
    ) = 1
