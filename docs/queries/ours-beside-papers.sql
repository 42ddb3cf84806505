-- How do our own runs compare with the best single drives of the same medium in papers?
-- asked by: a lab
with best as (
    select
        profile_id,
        drive_media_label,
        max(headline_value) as headline_value,
        max_by(value_label || ': ' || array_label, headline_value) as best_printed,
    from rpt_array_results
    where origin = 'paper' and drive_count = 1 and drive_media_label <> 'not reported'
    group by profile_id, drive_media_label
)

select
    ours.profile_label as profile,
    ours.drive_media_label as medium,
    ours.value_label as ours,
    best.best_printed,
    round(ours.headline_value / best.headline_value, 2) as ratio,
from rpt_array_results as ours
left join best using (profile_id, drive_media_label)
where ours.origin = 'own run'
order by ratio desc nulls last, profile asc, ours asc;
