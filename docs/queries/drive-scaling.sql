-- What share of N single drives does an array of N drives reach, at the same load profile?
-- asked by: a storage engineer
with results as (
    select
        results.*,
        arrays.drive_id,
        arrays.raid_level,
    from rpt_array_results as results
    inner join dim_arrays as arrays using (array_id)
    where results.drive_count is not null
),

single_drives as (
    select
        drive_id,
        profile_id,
        max(headline_value) as headline_value,
    from results
    where drive_count = 1
    group by drive_id, profile_id
)

select
    results.array_label,
    results.profile_label as profile,
    results.value_label as reached,
    round(results.per_drive_headline_value / single_drives.headline_value, 2) as of_n_drives,
    results.binding_ceiling as limited_by,
from results
inner join single_drives using (drive_id, profile_id)
where results.drive_count > 1 and results.raid_level in ('RAID 0', 'JBOD')
order by of_n_drives desc, results.array_label asc, profile asc;
