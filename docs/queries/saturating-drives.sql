-- How many SSDs bring each controller to its published limit?
-- asked by: a storage engineer
with saturated as (
    select
        predictions.*,
        profiles.profile_label as profile,
        predictions.drive_count || ' x ' || predictions.drive as drives,
    from fct_predictions as predictions
    inner join dim_load_profiles as profiles using (profile_id)
    inner join dim_drives using (drive_id)
    where
        predictions.binding_ceiling = 'controller'
        and predictions.drive_count = predictions.saturating_drive_count
        and predictions.raid_level in ('RAID 0', 'RAID 5')
        and dim_drives.drive_media = 'SSD'
)

select
    controller,
    profile,
    string_agg(drives, ', ' order by drive_count, drive) filter (raid_level = 'RAID 0') as raid_0,
    string_agg(drives, ', ' order by drive_count, drive) filter (raid_level = 'RAID 5') as raid_5,
from saturated
group by controller, profile
order by controller, profile;
