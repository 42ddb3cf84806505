-- Each result is a measurement, unless a file beside it has the same run in more detail.
with measured as (
    select
        measurement_id,
        source_path as path,
        source_position as position,
    from marts.measurements
    where source_format = getvariable('source_format')
),

results as (
    select
        sources.path,
        printed.*,
        min(coalesce(printed.precedence, 0)) over (
            partition by
                regexp_replace(sources.path, '[^/]*$', ''),
                coalesce(printed.run_key, sources.path || printed.result_index)
        ) as least_precedence,
    from raw.generic_results as printed
    inner join raw.sources as sources using (file_id)
    inner join raw.files as files using (file_id)
    where sources.is_current and files.parser = getvariable('source_format')
)

select
    results.path,
    results.position as place,
    if(
        coalesce(results.precedence, 0) = results.least_precedence,
        'measurement', 'in a file of more detail'
    ) as fate,
    if(fate = 'measurement', 1, 0) as wanted,
    coalesce(list(measurement_id) filter (measurement_id is not null), []) as found,
from results
left join measured using (path, position)
group by all
