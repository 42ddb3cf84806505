-- The catalog of controllers: what the papers state, a row a controller.
select
    subject as controller,
    min(document_id) as document_id,
    min_by(page, (document_id, page)) as page,
    any_value(as_printed) filter (attribute = 'vendor') as vendor,
    any_value(as_printed) filter (attribute = 'full_name') as full_name,
    any_value(as_printed) filter (attribute = 'generation') as controller_generation,
    any_value(as_printed) filter (attribute = 'form_factor') as form_factor,
    any_value(as_printed) filter (attribute = 'disk_interface') as disk_interfaces,
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
    any_value(cast(value as bigint)) filter (attribute = 'default_stripe') as default_stripe_bytes,
from {{ ref('int_catalog_facts') }}
where subject_type = 'controller'
group by subject
