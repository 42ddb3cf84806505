-- Those of several processes cannot be merged, and stay in raw.
with recorded as (
    select
        jobs.measurement_id,
        percentiles.direction,
        percentiles.latency_kind,
        percentiles.percentile_ratio,
        percentiles.latency_us,
    from {{ ref('stg_fio__percentiles') }} as percentiles
    inner join {{ ref('int_fio__jobs') }} as jobs using (file_id, job_index)
    where not jobs.is_part_of_another and jobs.entry_count = 1
),

-- A document's have the direction of their profile; 'completion_latency_p999' is clat's 0.999.
printed as (
    select
        measurement_id,
        case read_ratio when 1 then 'read' when 0 then 'write' else 'mixed' end as direction,
        unnest(percentiles) as percentile,
    from {{ ref('int_white_papers__measurements') }}
)

select * from recorded
union all by name
select
    measurement_id,
    direction,
    case when percentile.metric like 'completion%' then 'clat' else 'lat' end as latency_kind,
    cast('0.' || regexp_extract(percentile.metric, '[0-9]+$') as double) as percentile_ratio,
    percentile.latency_us,
from printed
