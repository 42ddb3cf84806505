-- The most that a controller is measured to do at random, by RAID level and load profile: its
-- own, and as a stand-in that of a twin, which the catalog tells from it by its cache alone.
with points as (
    select * from {{ ref('int_claims__points') }}
    where
        metric = 'iops'
        and not is_derived
        and high_value < 'infinity'
        and raid_level is not null
        -- with a processor of its own a document says more than of its usual one
        and traits['cpu'] is null
),

twins as (
    select
        controllers.controller as claimed_controller,
        twins.controller,
        controllers.controller != twins.controller as is_stand_in,
    from {{ ref('int_controllers') }} as controllers
    inner join {{ ref('int_controllers') }} as twins
        on
            controllers.controller = twins.controller
            or controllers.vendor = twins.vendor
            and controllers.controller_generation = twins.controller_generation
            and controllers.disk_interfaces = twins.disk_interfaces
            and controllers.disk_port_count = twins.disk_port_count
            and controllers.host_interface = twins.host_interface
            and controllers.host_lane_count = twins.host_lane_count
            and controllers.raid_levels = twins.raid_levels
            and controllers.cache_bytes > 0
            and twins.cache_bytes > 0
)

select
    twins.claimed_controller,
    twins.controller,
    twins.is_stand_in,
    points.document_id,
    points.raid_level,
    points.profile_id,
    points.measurement_id,
    points.drive_count,
    points.traits['drive'] as drive,
    points.value as iops,
from points
inner join twins using (controller)
