-- the night found as many files as the last published one
-- severity: warning
with before as (
    select
        run_id,
        file_loaded_count + file_unchanged_count + coalesce(file_copy_count, 0) as file_count,
    from quality.nightly_runs
    where status = 'published' and file_loaded_count is not null
    qualify row_number() over (order by night_number desc, started_at desc) = 1
),

now as (
    select file_loaded_count + file_unchanged_count + coalesce(file_copy_count, 0) as file_count_now
    from quality.nightly_runs
    where is_latest and status = 'running'
)

select * from before
cross join now
where file_count_now < (1 - $volume_max_loss_ratio) * file_count
