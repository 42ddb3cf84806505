-- What does MB/s mean? The same unit in different papers, in bytes per second.
-- asked by: a reviewer
select
    as_printed,
    cast(bytes_per_second as bigint) as bytes_per_second,
    round(bytes_per_second / 1e6, 1) as megabytes,
    round(bytes_per_second / 1048576, 1) as mebibytes,
    source_label as source,
from rpt_measurements
where regexp_matches(as_printed, '^\d+ MB/s$')
qualify
    row_number() over (
        partition by document_id order by rpt_measurements.bytes_per_second desc, measurement_id asc
    ) = 1
order by document_id;
