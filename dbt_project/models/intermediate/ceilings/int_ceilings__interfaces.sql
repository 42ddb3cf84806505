-- What the links let through, to the drives and to the host. A link to a drive is the port's or the
-- drive's own, whichever is slower; a drive on PCIe brings its own. A SATA port takes one drive;
-- SAS ports share theirs by an expander. SAS, PCIe and DMI carry each direction for itself, so that
-- the busier one counts; SATA carries one at a time, so that both count.
with links as (
    select
        arrays.*,
        regexp_matches(drive_interface, '^PCIe [\d.]') as is_pcie_drive,
        port.lane_theoretical_bytes_per_second as port_rate,
        coalesce(try_cast(regexp_extract(drive_interface, ' x(\d+)$', 1) as bigint), 1)
        * own.lane_theoretical_bytes_per_second as drive_rate,
        host_lane_count * host.lane_theoretical_bytes_per_second as host_rate,
        case
            -- an interface that is none of the standards' is not known
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
        coalesce(drive_interface like 'SATA %' or disk_port_interface like 'SATA %', false)
            as is_half_duplex,
        read_ratio + write_ratio * bytes_read_per_write as disk_reads,
        write_ratio * bytes_written_per_write as disk_writes,
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
        when disk_reads is null or disk_writes is null
            then 'writes depend on RAID level, drive count and random share: one is not reported'
    end as missing_reason,
    disk_link_count * disk_rate
    / if(is_half_duplex, disk_reads + disk_writes, greatest(disk_reads, disk_writes))
        as bytes_per_second,
    disk_link_count || ' x ' || disk_link || ' / ' || if(is_half_duplex, '(', 'max(')
    || {{ short('disk_reads') }} || ' read' || if(is_half_duplex, ' + ', ', ')
    || {{ short('disk_writes') }} || ' written on disk for each byte)' as formula,
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
    host_rate / greatest(read_ratio, write_ratio) as bytes_per_second,
    host_interface || ' x' || host_lane_count || ' / max(' || {{ short('read_ratio') }}
    || ' read, ' || {{ short('write_ratio') }} || ' written)' as formula,
from links
