-- How many SSDs bring each controller to its published limit?
-- asked by: a storage engineer
select
    predictions.controller,
    predictions.raid_level,
    predictions.drive,
    profiles.profile_label as profile,
    min(predictions.saturating_drive_count) as drives,
from fct_predictions as predictions
inner join dim_load_profiles as profiles using (profile_id)
where
    predictions.binding_ceiling = 'controller'
    and predictions.raid_level in ('RAID 0', 'RAID 5')
    and predictions.saturating_drive_count is not null
group by all
order by all
limit 12;
