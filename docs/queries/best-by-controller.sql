-- What does each controller reach at best for a database (67 % reads of 8 KiB), and on which page?
-- asked by: a buyer
select
    controller_label as controller,
    raid_level_label as raid_level,
    drive_count,
    value_label as best,
    attained_label as of_ceiling,
    source_label as source,
from rpt_array_results
where profile_id = 'random-read67-8KiB' and controller_label <> 'not reported'
qualify headline_value = max(headline_value) over (partition by controller_label)
order by headline_value desc, controller asc, raid_level asc, source asc;
