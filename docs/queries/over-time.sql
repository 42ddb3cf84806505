-- Does a run hold its speed, or does it slow down after the first minute?
-- asked by: a lab
with seconds as (
    select
        measurement_id,
        direction,
        iops,
        ntile(4) over (
            partition by measurement_id, direction order by elapsed_seconds
        ) as quarter,
    from fct_time_series
    where
        quantity = 'iops'
        and measurement_id not in (
            select measurement_id
            from measurements
            where is_superseded
        )
)

select
    measurement_id,
    direction,
    cast(avg(iops) filter (where quarter = 1) as bigint) as first_quarter_iops,
    cast(avg(iops) filter (where quarter = 4) as bigint) as last_quarter_iops,
    round(last_quarter_iops / first_quarter_iops, 2) as ratio,
    round(stddev_samp(iops) / avg(iops), 2) as coefficient_of_variation,
from seconds
group by measurement_id, direction
order by measurement_id, direction;
