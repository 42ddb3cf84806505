select
    'fio-' || left(percentiles.file_id, 12) || '-' || percentiles.job_index as measurement_id,
    percentiles.direction,
    percentiles.latency_kind,
    percentiles.percentile_ratio,
    percentiles.latency_us,
from {{ ref('stg_fio__percentiles') }} as percentiles
inner join {{ ref('stg_fio__jobs') }} as jobs using (file_id, job_index)
where not jobs.is_part_of_another
