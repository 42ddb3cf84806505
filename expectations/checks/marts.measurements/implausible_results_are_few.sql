-- only a few files of a tool's version are full of what is physically impossible
-- severity: warning
with files as (
    select
        source_format,
        tool_version,
        source_path,
        regexp_replace(source_path, '/[^/]*$', '') as folder,
        avg(if(is_plausible, 0, 1)) >= $implausible_max_share_ratio as is_implausible,
        min(validity_note) filter (where not is_plausible) as validity_note,
    from marts.measurements
    where source_format != 'white_paper' and (is_valid or not is_plausible)
    group by source_format, tool_version, source_path
)

select
    source_format,
    tool_version,
    count(*) filter (where is_implausible) as implausible_file_count,
    count(*) as file_count,
    max(source_path) filter (where is_implausible) as source_path,
    max_by(validity_note, source_path) filter (where is_implausible) as validity_note,
from files
group by source_format, tool_version
having
    count(*) filter (where is_implausible)
    >= greatest($implausible_min_files, $implausible_max_share_ratio * count(*))
    and count(distinct if(is_implausible, folder, null)) > 1
