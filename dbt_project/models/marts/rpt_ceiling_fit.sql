-- How well the ceilings hold: of what was measured, how much lies within, and how near.
select
    coalesce(document_id, source_format) as source,
    binding_ceiling,
    count(*) as measurement_count,
    avg(cast(attained_ratio <= 1 as int)) as within_ceiling_ratio,
    median(attained_ratio) as median_attained_ratio,
    max(attained_ratio) as max_attained_ratio,
    arg_max(measurement_id, (attained_ratio, measurement_id)) as nearest_measurement_id,
from {{ ref('measurements') }}
where is_valid and attained_ratio is not null
group by all
