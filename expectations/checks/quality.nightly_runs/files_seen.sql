-- the night found as many files as the last published one in the same folders
-- severity: warning
with nights as (
    select
        *,
        file_loaded_count + file_unchanged_count + coalesce(file_copy_count, 0) as file_count,
    from quality.nightly_runs
),

now as (
    select
        paths,
        file_count as file_count_now,
    from nights
    where is_latest and status = 'running'
),

before as (
    select
        run_id,
        paths,
        file_count,
    from nights
    where status = 'published' and paths in (select paths from now)
    qualify row_number() over (order by night_number desc, started_at desc) = 1
)

select * from before
inner join now using (paths)
where file_count_now < (1 - $volume_max_loss_ratio) * file_count
