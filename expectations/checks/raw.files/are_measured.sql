-- each job, block and paper that is loaded is in the measurements
-- severity: critical
-- Jobs of one name in a group may be processes of one job; rows that sum up others do not count.
with loaded as (
    select
        file_id,
        count(distinct row(document_line, group_id, job_name, hostname)) as loaded_count,
    from raw.fio_jobs
    where not is_snapshot and not is_total
    group by file_id
    union all
    select
        file_id,
        count(*) as loaded_count,
    from raw.iometer_blocks
    where header != 'H4'
    group by file_id
    union all
    select
        file_id,
        1 as loaded_count,
    from raw.white_paper_measurements
    group by file_id
),

measured as (
    select
        file_id,
        count(distinct source_position) as measured_count,
    from marts.measurements
    group by file_id
),

places as (
    select
        file_id,
        min(path) as source_path,
    from raw.files
    inner join raw.sources using (file_id)
    where sources.is_current
    group by file_id
)

select
    source_path,
    loaded_count,
    coalesce(measured_count, 0) as measured_count,
from places
inner join loaded using (file_id)
left join measured using (file_id)
where coalesce(measured_count, 0) < loaded_count
