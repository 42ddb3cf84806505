-- Each result is a measurement, unless a file beside it has the same run in more detail.
with measured as (
    select
        measurement_id,
        source_path as path,
        source_position as position,
    from marts.measurements
    where source_format = 'vdbench'
),

results as (
    select
        sources.path,
        printed.*,
        min(printed.precedence) over (
            partition by regexp_replace(sources.path, '[^/]*$', ''), printed.run_key
        ) as least_precedence,
    from raw.generic_results as printed
    inner join raw.sources as sources using (file_id)
    where sources.is_current and printed.tool_name = 'vdbench'
)

select
    results.path,
    results.position as place,
    if(
        results.precedence = results.least_precedence, 'measurement', 'in a file of more detail'
    ) as fate,
    if(fate = 'measurement', 1, 0) as wanted,
    coalesce(list(measurement_id) filter (measurement_id is not null), []) as found,
from results
left join measured using (path, position)
group by all
