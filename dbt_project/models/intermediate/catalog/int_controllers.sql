-- The catalog of controllers, a row each: what the papers state; what they leave open, and those
-- they do not have, from the sidecars' own definitions.
with in_servers as (
    select
        condition as controller,
        cast(max(value) as bigint) as drive_count,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'server' and attribute = 'max_drives'
    group by condition
),

stated as (
    select
        subject as controller,
        min(document_id) as document_id,
        min_by(page, (document_id, page)) as page,
        any_value(as_printed) filter (attribute = 'vendor') as vendor,
        any_value(as_printed) filter (attribute = 'full_name') as full_name,
        any_value(as_printed) filter (attribute = 'generation') as controller_generation,
        any_value(as_printed) filter (attribute = 'form_factor') as form_factor,
        any_value(as_printed) filter (attribute = 'disk_interface') as disk_interfaces,
        any_value(as_printed) filter (attribute = 'disk_interface_speed') as disk_interface_speed,
        any_value(as_printed) filter (attribute = 'raid_levels') as raid_levels,
        any_value(
            nullif(
                regexp_extract(replace(as_printed, 'PCI-Express', 'PCIe'), '^(PCIe|DMI) [\d.]+'), ''
            )
        ) filter (attribute = 'host_link') as host_interface,
        any_value(
            try_cast(regexp_extract(as_printed, ' x(\d+)', 1) as bigint)
        ) filter (attribute = 'host_link') as host_lane_count,
        any_value(cast(value as bigint)) filter (attribute = 'disk_port_count') as disk_port_count,
        any_value(cast(value as bigint)) filter (attribute = 'max_drives') as max_drive_count,
        any_value(cast(value as bigint)) filter (attribute = 'cache') as cache_bytes,
        any_value(cast(value as bigint)) filter (attribute = 'default_stripe')
            as default_stripe_bytes,
    from {{ ref('int_catalog_facts') }}
    where subject_type = 'controller'
    group by subject
),

own as (
    select * from {{ ref('int_sidecars__controllers') }}
)

select
    coalesce(stated.controller, own.controller) as controller,
    {{ slug('coalesce(stated.controller, own.controller)') }} as controller_id,
    stated.document_id,
    stated.page,
    coalesce(stated.vendor, own.vendor) as vendor,
    coalesce(stated.full_name, own.full_name) as full_name,
    coalesce(stated.controller_generation, own.controller_generation) as controller_generation,
    coalesce(stated.form_factor, own.form_factor) as form_factor,
    coalesce(stated.disk_interfaces, own.disk_interfaces) as disk_interfaces,
    {{ fastest_disk_interface(
        'coalesce(stated.disk_interfaces, own.disk_interfaces)', 'stated.disk_interface_speed'
    ) }} as disk_port_interface,
    coalesce(stated.raid_levels, own.raid_levels) as raid_levels,
    coalesce(stated.host_interface, own.host_interface) as host_interface,
    coalesce(stated.host_lane_count, own.host_lane_count) as host_lane_count,
    coalesce(stated.disk_port_count, own.disk_port_count) as disk_port_count,
    coalesce(stated.max_drive_count, own.max_drive_count) as max_drive_count,
    in_servers.drive_count as max_server_drive_count,
    coalesce(stated.cache_bytes, own.cache_bytes) as cache_bytes,
    coalesce(stated.default_stripe_bytes, own.default_stripe_bytes) as default_stripe_bytes,
    own.defined_in,
    own.definition_note,
from stated
full outer join own on {{ slug('stated.controller') }} = own.controller_id
left join in_servers on stated.controller = in_servers.controller
