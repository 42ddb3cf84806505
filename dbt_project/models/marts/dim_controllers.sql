-- Of what measurements name, in whatever spelling, and neither a paper nor a sidecar describes,
-- nothing is known.
with controllers as (
    select
        *,
        true as is_catalogued,
    from {{ ref('int_controllers') }}
    union all by name
    select
        controller_id,
        min(controller) as controller,
        false as is_catalogued,
    from {{ ref('int_measurements') }}
    anti join {{ ref('int_controllers') }} using (controller_id)
    where controller_id is not null
    group by controller_id
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
