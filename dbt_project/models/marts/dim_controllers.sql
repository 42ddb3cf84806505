with catalog as (
    select
        *,
        true as is_catalogued,
    from {{ ref('int_controllers') }}
),

-- What measurements name, in whatever spelling, and neither a paper nor a sidecar describes:
-- nothing is known of it here.
uncatalogued as (
    select
        measured.controller_id,
        min(measured.controller) as controller,
        false as is_catalogued,
    from {{ ref('int_measurements') }} as measured
    left join catalog using (controller_id)
    where measured.controller_id is not null and catalog.controller_id is null
    group by measured.controller_id
),

controllers as (
    select * from catalog
    union all by name
    select * from uncatalogued
)

select
    controller_id,
    controller,
    vendor,
    full_name,
    controller_generation,
    form_factor,
    cache_bytes,
    disk_interfaces,
    disk_port_count,
    host_interface,
    host_lane_count,
    max_drive_count,
    max_server_drive_count,
    raid_levels,
    default_stripe_bytes,
    is_catalogued,
    document_id,
    page,
    defined_in,
    definition_note,
from controllers
