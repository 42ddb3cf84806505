-- at least one file is loaded
-- severity: critical
select 0 as row_count
where not exists (
    select *
    from raw.files
)
