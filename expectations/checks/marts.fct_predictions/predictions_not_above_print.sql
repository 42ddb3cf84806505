-- no prediction is above a documented limit of the controller
-- severity: critical
with printed as (
    select
        controller_id,
        raid_level,
        profile_id,
        max(coalesce(bytes_per_second, iops * mean_block_bytes)) as printed_limit,
    from marts.measurements
    inner join marts.dim_load_profiles using (profile_id)
    where
        is_valid
        and limit_of = 'controller'
        and outstanding_io_count is null
        and not has_own_processor
    group by all
)

select
    controller,
    raid_level,
    drive,
    drive_count,
    profile_id,
    bytes_per_second,
    printed_limit,
from marts.fct_predictions
inner join printed using (controller_id, raid_level, profile_id)
where bytes_per_second > printed_limit * (1 + 1e-9)
