-- What the controller's link to the host lets through. It carries each direction for itself.
select
    array_id,
    profile_id,
    case
        when is_own_controller then 'the link of a drive on PCIe is the disk interface'
        when host_bytes_per_second is null then 'the link to the host is not known'
        when read_ratio is null then 'the share of reads is not known'
    end as missing_reason,
    host_bytes_per_second / greatest(read_ratio, write_ratio) as bytes_per_second,
    host_interface || ' x' || host_lane_count || ' / max(' || {{ short('read_ratio') }}
    || ' read, ' || {{ short('write_ratio') }} || ' written)' as formula,
from {{ ref('int_links') }}
