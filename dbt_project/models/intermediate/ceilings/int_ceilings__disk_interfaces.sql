-- What the links to the drives let through. SAS and PCIe carry each direction for itself, so that
-- the busier one counts; SATA carries one at a time, so that both count.
with traffic as (
    select
        *,
        read_ratio + write_ratio * bytes_read_per_write as disk_reads,
        write_ratio * bytes_written_per_write as disk_writes,
    from {{ ref('int_links') }}
)

select
    array_id,
    profile_id,
    case
        when disk_bytes_per_second is null
            then 'no interface of ports or drives is known by its name'
        when disk_link_count is null then 'neither ports nor drives are counted'
        when read_ratio is null then 'the share of reads is not known'
        when bytes_written_per_write is null or bytes_read_per_write is null
            then 'writes depend on RAID level, drive count and randomness: one is not known'
    end as missing_reason,
    disk_link_count * disk_bytes_per_second
    / if(is_half_duplex, disk_reads + disk_writes, greatest(disk_reads, disk_writes))
        as bytes_per_second,
    disk_link_count || ' x ' || disk_link || ' / ' || if(is_half_duplex, '(', 'max(')
    || {{ short('disk_reads') }} || ' read' || if(is_half_duplex, ' + ', ', ')
    || {{ short('disk_writes') }} || ' written on disk for each byte)' as formula,
from traffic
