-- Those of several processes cannot be merged, and stay in raw.
with recorded as (
    select
        jobs.measurement_id,
        percentiles.* exclude (file_id, job_index),
    from {{ ref('stg_fio__percentiles') }} as percentiles
    inner join {{ ref('int_fio__jobs') }} as jobs using (file_id, job_index)
    where not jobs.is_part_of_another and jobs.entry_count = 1
),

-- A document's have the direction of their profile; 'completion_latency_p999' is clat's 0.999.
printed as (
    select
        measurement_id,
        read_ratio,
        unnest(map_entries(stated)) as printed_value,
    from {{ ref('int_white_papers__measurements') }}
)

select * from recorded
union all by name
select
    measurement_id,
    case read_ratio when 1 then 'read' when 0 then 'write' else 'mixed' end as direction,
    if(printed_value.key like 'completion%', 'clat', 'lat') as latency_kind,
    cast('0.' || regexp_extract(printed_value.key, '_p([0-9]+)$', 1) as double) as percentile_ratio,
    printed_value.value as latency_us,
from printed
where regexp_matches(printed_value.key, '_p[0-9]+$') and printed_value.value is not null
