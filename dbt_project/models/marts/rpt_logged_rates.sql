-- The rates of a run as a chart draws them: beyond 2000 intervals, neighbours are averaged. Each
-- point has the level of its part of the run, before or after the change. Refs leave out the
-- database name, which differs in a published copy of the file.
{{ config(materialized='view') }}
with intervals as (
    select
        rates.*,
        coalesce(rates.elapsed_seconds > runs.change_seconds, false) as is_after,
        if(is_after, runs.after_iops, runs.before_iops) as level_iops,
        if(is_after, runs.after_bytes_per_second, runs.before_bytes_per_second)
            as level_bytes_per_second,
        ntile(2000) over (partition by rates.measurement_id order by rates.elapsed_seconds)
            as point_number,
    from {{ ref('fct_run_rates').include(database=false) }} as rates
    inner join {{ ref('rpt_logged_runs').include(database=false) }} as runs using (measurement_id)
)

select
    measurement_id,
    max(elapsed_seconds) as elapsed_seconds,
    max(written_bytes) as written_bytes,
    {% for rate in ['iops', 'bytes_per_second', 'write_bytes_per_second'] -%}
        {{ ordered_sum(rate) }} / count({{ rate }}) as {{ rate }},
    {% endfor -%}
    level_iops,
    level_bytes_per_second,
from intervals
group by measurement_id, point_number, is_after, level_iops, level_bytes_per_second
