-- The links of an array, theoretical and in one direction: of one disk (its port's or the drive's
-- own, whichever is slower) and to the host. A drive on PCIe without a controller's ports is its
-- own controller: its link is the disk's. An interface that is none of the standards' is not known.
-- A SATA port takes one drive; SAS ports share theirs by an expander. SATA is half duplex.
with drives as (
    select
        *,
        regexp_extract(drive_interface, '^(PCIe [\d.]+)', 1) as drive_pcie,
        coalesce(try_cast(regexp_extract(drive_interface, ' x(\d+)$', 1) as bigint), 1)
            as drive_lane_count,
    from {{ ref('int_array_profiles') }}
),

links as (
    select
        drives.*,
        drives.drive_pcie != '' as is_pcie_drive,
        drives.drive_pcie != '' and drives.disk_port_interface is null as is_own_controller,
        drives.drive_interface is not null and own.interface is null as is_unknown_interface,
        {{ link_bytes_per_second('port.line_rate_hz', 1, 'port.encoding_ratio') }}
            as port_bytes_per_second,
        {{ link_bytes_per_second(
            'own.line_rate_hz', 'drives.drive_lane_count', 'own.encoding_ratio'
        ) }} as drive_bytes_per_second,
        {{ link_bytes_per_second(
            'host.line_rate_hz', 'drives.host_lane_count', 'host.encoding_ratio'
        ) }} as host_bytes_per_second,
    from drives
    left join {{ ref('interfaces') }} as port on drives.disk_port_interface = port.interface
    left join {{ ref('interfaces') }} as own
        on coalesce(nullif(drives.drive_pcie, ''), drives.drive_interface) = own.interface
    left join {{ ref('interfaces') }} as host on drives.host_interface = host.interface
)

select
    * exclude (drive_pcie, port_bytes_per_second, drive_bytes_per_second),
    case
        when is_unknown_interface then null
        when is_pcie_drive then drive_bytes_per_second
        else least(port_bytes_per_second, drive_bytes_per_second)
    end as disk_bytes_per_second,
    case
        when
            is_pcie_drive or drive_bytes_per_second <= port_bytes_per_second
            or port_bytes_per_second is null
            then drive_interface
        else disk_port_interface
    end as disk_link,
    case
        when is_pcie_drive or disk_port_interface like 'SATA %' then drive_count
        else least(disk_port_count, drive_count)
    end as disk_link_count,
    coalesce(drive_interface like 'SATA %' or disk_port_interface like 'SATA %', false)
        as is_half_duplex,
from links
