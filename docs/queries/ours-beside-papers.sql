-- How do our own runs compare with the best single-drive values in papers?
-- asked by: a lab
with best as (
    select
        profile_id,
        max(headline_value) as headline_value,
        max_by(value_label || ': ' || array_label, headline_value) as best_printed,
    from rpt_array_results
    where origin = 'paper' and drive_count = 1
    group by profile_id
)

select
    ours.profile_label as profile,
    ours.value_label as ours,
    best.best_printed,
    round(ours.headline_value / best.headline_value, 2) as ratio,
from rpt_array_results as ours
inner join best using (profile_id)
where ours.origin = 'own run'
order by ratio desc, profile asc;
