with catalog as (
    select
        *,
        true as is_catalogued,
    from {{ ref('int_controllers') }}
),

-- What measurements name and no paper describes; a sidecar may still say vendor and generation.
uncatalogued as (
    select
        measured.controller,
        any_value(measured.vendor) as vendor,
        any_value(measured.controller_generation) as controller_generation,
        false as is_catalogued,
    from {{ ref('int_measurements') }} as measured
    left join catalog using (controller)
    where measured.controller is not null and catalog.controller is null
    group by measured.controller
),

controllers as (
    select * from catalog
    union all by name
    select * from uncatalogued
)

select
    {{ slug('controller') }} as controller_id,
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
    raid_levels,
    default_stripe_bytes,
    is_catalogued,
    document_id,
    page,
from controllers
