-- there are measurements
-- severity: critical
select 0 as row_count
where not exists (
    select *
    from marts.measurements
)
