-- Which fields do sources report, for which share of their measurements?
-- asked by: a lab
select
    coalesce(document_id, source_format) as source,
    count(*) as points,
    round(count(outstanding_io_count) / points, 2) as outstanding_ios,
    round(count(latency_mean_us) / points, 2) as mean_latency,
    round(count(latency_p99_us) / points, 2) as p99,
    round(count(raid_level) / points, 2) as raid_level,
    round(count(drive_firmware) / points, 2) as drive_firmware,
    round(count(runtime_seconds) / points, 2) as runtime,
from measurements
where not is_superseded
group by source
order by points desc, source asc;
