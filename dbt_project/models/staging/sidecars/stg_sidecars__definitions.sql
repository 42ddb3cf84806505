-- Attributes have the names that the papers' facts use.
select
    'controller' as kind,
    controller as name,
    sidecar_path as defined_in,
    map {
        'vendor': vendor,
        'full_name': full_name,
        'generation': controller_generation,
        'form_factor': form_factor,
        'disk_interface': disk_interfaces,
        'host_interface': host_interface,
        'raid_levels': raid_levels,
        'rated_by': rated_by,
        'price_currency': price_currency,
        'price_date': price_date,
        'price_by': price_by
    } as texts,
    map {
        'disk_port_count': cast(disk_port_count as double),
        'host_lane_count': host_lane_count,
        'max_drives': max_drive_count,
        'cache': {{ to_bytes('cache_number', 'cache_unit', 2) }},
        'default_stripe': {{ to_bytes('default_stripe_number', 'default_stripe_unit', 2) }},
        'power': power_watt,
        'price': price
    } as numbers,
from {{ source('raw', 'sidecar_controllers') }}
union all
select
    'drive' as kind,
    drive as name,
    sidecar_path as defined_in,
    map {
        'vendor': vendor,
        'model': model,
        'media': drive_media,
        'interface': drive_interface,
        'drive_form_factor': drive_form_factor,
        'rated_by': rated_by,
        'price_currency': price_currency,
        'price_date': price_date,
        'price_by': price_by
    } as texts,
    map {
        'rotation_rate': rotation_rpm,
        'capacity': {{ to_bytes('capacity_number', 'capacity_unit', 10) }},
        'rated_random_read_iops': rated_random_read_iops,
        'rated_random_write_iops': rated_random_write_iops,
        'rated_read': {{ to_base_unit('rated_read_number', 'rated_read_unit', 10) }},
        'rated_write': {{ to_base_unit('rated_write_number', 'rated_write_unit', 10) }},
        'power': power_watt,
        'price': price
    } as numbers,
from {{ source('raw', 'sidecar_drives') }}
