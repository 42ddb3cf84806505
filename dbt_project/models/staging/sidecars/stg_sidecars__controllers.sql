select
    -- ids
    controller,
    sidecar_path as defined_in,

    -- categories
    vendor,
    full_name,
    controller_generation,
    form_factor,
    disk_interfaces,
    host_interface,
    raid_levels,

    -- measures
    disk_port_count,
    host_lane_count,
    max_drive_count,
    {{ to_bytes('cache_number', 'cache_unit', 2) }} as cache_bytes,
    {{ to_bytes('default_stripe_number', 'default_stripe_unit', 2) }} as default_stripe_bytes,
from {{ source('raw', 'sidecar_controllers') }}
