-- The most that the links carry, to the drives and to the host. A link to a drive is as fast as the
-- slower of port and drive; a drive on PCIe brings its own. A SATA port takes one drive; SAS ports
-- share theirs through an expander. SAS, PCIe and DMI are full duplex, so the busier direction
-- counts; SATA is half duplex, so both directions share the link.
with links as (
    select
        arrays.*,
        regexp_matches(drive_interface, '^PCIe [\d.]') as is_pcie_drive,
        port.lane_theoretical_bytes_per_second as port_rate,
        coalesce(try_cast(regexp_extract(drive_interface, ' x(\d+)$', 1) as bigint), 1)
        * own.lane_theoretical_bytes_per_second as drive_rate,
        host_lane_count * host.lane_theoretical_bytes_per_second as host_rate,
        case
            -- an interface that no standard names is not known
            when drive_interface is not null and drive_rate is null then null
            when is_pcie_drive then drive_rate
            else least(port_rate, drive_rate)
        end as disk_rate,
        if(
            is_pcie_drive or drive_rate <= port_rate or port_rate is null,
            drive_interface, disk_port_interface
        ) as disk_link,
        if(
            is_pcie_drive or disk_port_interface like 'SATA %',
            drive_count, least(disk_port_count, drive_count)
        ) as disk_link_count,
        not coalesce(drive_interface like 'SATA %' or disk_port_interface like 'SATA %', false)
            as is_full_duplex,
    from {{ ref('int_configurations') }} as arrays
    left join {{ ref('dim_interfaces') }} as port on disk_port_interface = port.interface
    left join {{ ref('dim_interfaces') }} as own
        on regexp_extract(drive_interface, '^(PCIe [\d.]+|.*)') = own.interface
    left join {{ ref('dim_interfaces') }} as host on host_interface = host.interface
)

select
    array_id,
    profile_id,
    'disk interface' as ceiling_kind,
    case
        when disk_rate is null then 'interface of ports and drives not known'
        when disk_link_count is null then 'number of ports and drives not reported'
        when read_ratio is null then 'share of reads not reported'
        when disk_read_ratio is null or disk_write_ratio is null
            then 'writes depend on RAID level, drive count and random share: one is not reported'
    end as missing_reason,
    disk_link_count as member_count,
    disk_link as link,
    disk_rate as member_bytes_per_second,
    disk_read_ratio as read_factor,
    disk_write_ratio as write_factor,
    is_full_duplex,
    disk_link_count * disk_rate / if(
        is_full_duplex,
        greatest(disk_read_ratio, disk_write_ratio), disk_read_ratio + disk_write_ratio
    ) as bytes_per_second,
from links
union all by name
select
    array_id,
    profile_id,
    'host interface' as ceiling_kind,
    case
        when is_own_controller then 'the link of a drive on PCIe is the disk interface'
        when host_rate is null then 'the link to the host is not known'
        when read_ratio is null then 'share of reads not reported'
    end as missing_reason,
    1 as member_count,
    host_interface || ' x' || host_lane_count as link,
    host_rate as member_bytes_per_second,
    read_ratio as read_factor,
    write_ratio as write_factor,
    true as is_full_duplex,
    host_rate / greatest(read_ratio, write_ratio) as bytes_per_second,
from links
