-- two editions of a paper print the same value
-- severity: warning
select
    file_id,
    document_id,
    page,
    server,
    controller,
    raid_level,
    drive,
    drive_count,
    profile,
    outstanding_io_count,
    queue_depth_per_drive,
    worker_count,
    condition,
    metric,
    string_agg(
        edition || ' line ' || line || ': ' || as_printed, ' | ' order by edition, line
    ) as printed,
from raw.white_paper_measurements
group by all
having count(distinct edition) > 1 and count(distinct row(number, low_number, high_number)) > 1
