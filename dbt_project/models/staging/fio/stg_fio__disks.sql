select
    file_id,
    document_line,
    hostname,
    string_agg(distinct disk, '; ' order by disk) as device_names,
    max(util_percent) / 100 as device_busy_ratio,
from {{ source('raw', 'fio_disks') }}
group by all
