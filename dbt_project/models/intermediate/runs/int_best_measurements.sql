-- Boards compare arrays by their headline: IOPS of small blocks, throughput of large ones.
with headlines as (
    select
        points.measurement_id,
        points.array_id,
        points.is_example,
        points.combined_id,
        points.profile_id,
        if(profiles.headline_metric = 'iops', points.iops, points.bytes_per_second)
            as headline_value,
    from {{ ref('fct_measurements') }} as points
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where points.is_valid and not points.is_derived
)

select measurement_id
from headlines
where headline_value is not null
qualify
    row_number() over (
        partition by array_id, profile_id
        order by
            is_example asc, combined_id asc nulls first, headline_value desc, measurement_id asc
    ) = 1
