-- only a few results of a tool's version are physically impossible
-- severity: critical
select
    source_format,
    tool_version,
    count(*) filter (where not is_plausible) as implausible_count,
    count(*) as result_count,
    min_by(source_path, is_plausible) as source_path,
    min_by(validity_note, is_plausible) as validity_note,
from marts.measurements
where source_format != 'white_paper' and (is_valid or not is_plausible)
group by source_format, tool_version
having
    count(*) filter (where not is_plausible)
    >= greatest($implausible_min_rows, $implausible_max_share_ratio * count(*))
