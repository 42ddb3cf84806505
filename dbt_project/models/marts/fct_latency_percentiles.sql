-- Documents' percentiles have their profile's direction; completion_latency_p999 is 0.999 of clat.
with printed as (
    select
        file_id,
        measurement_id,
        read_ratio,
        unnest(map_entries(stated)) as printed_value,
    from {{ ref('int_white_papers__measurements') }}
),

common as (
    select
        file_id,
        measurement_id,
        read_ratio,
        unnest(percentile_ratios) as percentile_ratio,
        unnest(percentile_latencies_us) as latency_us,
    from {{ ref('int_generic__measurements') }}
),

percentiles as (
    select
        file_id,
        measurement_id,
        direction,
        latency_kind,
        percentile_ratio,
        latency_us,
        method,
    from {{ ref('int_fio__percentiles') }}
    where latency_us is not null
    union all by name
    select
        file_id,
        measurement_id,
        case read_ratio when 1 then 'read' when 0 then 'write' else 'mixed' end as direction,
        if(printed_value.key like 'completion%', 'clat', 'lat') as latency_kind,
        cast('0.' || regexp_extract(printed_value.key, '_p([0-9]+)$', 1) as double)
            as percentile_ratio,
        printed_value.value as latency_us,
        'printed' as method,
    from printed
    where regexp_matches(printed_value.key, '_p[0-9]+$') and printed_value.value is not null
    union all by name
    select
        file_id,
        measurement_id,
        case read_ratio when 1 then 'read' when 0 then 'write' else 'mixed' end as direction,
        'lat' as latency_kind,
        percentile_ratio,
        min(latency_us) as latency_us,
        'printed' as method,
    from common
    where percentile_ratio between 0 and 1 and latency_us >= 0
    group by all
)

select
    *,
    if(percentile_ratio < 1, 1 / (1 - percentile_ratio), null) as exceeded_once_in_count,
from percentiles
