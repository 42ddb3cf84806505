-- Measurements, a row for each of their quantities, and printed times to initialise. Of own runs
-- the newest of each configuration counts, and only those of a controller that a claim is about.
with claimed_controllers as (
    select distinct {{ each_of("concat_ws('; ', controllers, subject, object)") }} as controller,
    from {{ ref('int_claims') }}
),

measurements as (
    select * from {{ ref('int_measurements') }}
    where
        is_valid
        and (
            document_id in (select claims.document_id from {{ ref('int_claims') }} as claims)
            or (document_id is null and controller in (select controller from claimed_controllers))
        )
    qualify
        document_id is not null
        or row_number() over (
            partition by
                server, array_id, profile_id, outstanding_io_count, worker_count, condition
            order by measured_at desc nulls last, measurement_id asc
        ) = 1
),

-- A closed loop keeps its queue full: the mean latency that is not printed is Little's law's.
quantities as (
    select
        * exclude (iops),
        unnest([
            {
                'metric': 'iops', 'unit': 'iops', 'method': null,
                'value': iops, 'low': min_iops, 'high': max_iops
            },
            {
                'metric': 'throughput', 'unit': 'bytes_per_second', 'method': null,
                'value': bytes_per_second,
                'low': min_bytes_per_second, 'high': max_bytes_per_second
            },
            {
                'metric': 'latency_mean', 'unit': 'us',
                'method': if(
                    coalesce(latency_mean_us, min_latency_mean_us) is null, 'Little''s law', null
                ),
                'value': case
                    when coalesce(latency_mean_us, min_latency_mean_us) is not null
                        then latency_mean_us
                    else outstanding_io_count * 1e6 / iops
                end,
                'low': min_latency_mean_us, 'high': max_latency_mean_us
            },
            {
                'metric': 'latency_max', 'unit': 'us', 'method': null,
                'value': latency_max_us, 'low': null, 'high': null
            }
        ]) as quantity,
    from measurements
),

bounded as (
    select
        *,
        -- "more than" of a rate is "less than" of the latency that follows from it
        quantity.unit = 'us' and quantity.method is null and value_qualifier = 'at_most'
        or quantity.method is not null and value_qualifier = 'at_least' as is_without_low_end,
        value_qualifier = 'at_least' and quantity.method is null as is_without_high_end,
    from quantities
    where coalesce(quantity.value, quantity.low) is not null
)

select
    measurement_id || ' ' || quantity.metric as point_id,
    measurement_id,
    measurement_id as source,
    document_id,
    false as is_fact,
    * exclude (measurement_id, document_id, quantity),
    quantity.metric,
    quantity.unit as compared_unit,
    quantity.method,
    quantity.value,
    if(is_without_low_end, 0, coalesce(quantity.value, quantity.low)) as low_value,
    if(is_without_high_end, 'infinity'::double, coalesce(quantity.value, quantity.high))
        as high_value,
    document_id || ' ' || page || ' ' || as_printed as printed_in,
from bounded
union all by name
select
    document_id || ' ' || sheet_path || ' line ' || line as point_id,
    sheet_path || ' line ' || line as source,
    document_id,
    true as is_fact,
    subjects as controller,
    unnest(regexp_extract_all(condition, 'RAID \d+')) as raid_level,
    false as is_derived,
    'initialisation_time' as metric,
    'us' as compared_unit,
    qualifier as value_qualifier,
    value,
    coalesce(value, min_value) as low_value,
    coalesce(value, max_value) as high_value,
from {{ ref('stg_white_papers__facts') }}
where attribute = 'initialisation_time' and edition_order = 1
