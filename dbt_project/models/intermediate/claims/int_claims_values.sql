-- The numbers that claims are judged on, as intervals: measurements in documents, trusted own runs
-- of a controller that a claim names, limits of drives and links, and the terms. A value printed as
-- "more than" has no upper end.
with named as (
    select distinct unnest(list_concat(controllers, subjects, objects)) as controller
    from {{ ref('int_claims') }}
),

-- Drive limits of arrays that could be built, with the numbers of drives that claims name (not from
-- data sheets, which do not show what drives can do), and link limits of measured arrays.
limits as (
    select *
    from {{ ref('fct_predicted_limits') }}
    where
        ceiling_kind = 'drives'
        and derivation is distinct from 'rated'
        and cast(drive_count as varchar) in (
            select unnest(string_split(drive_count, '; ')) from {{ ref('int_claims') }}
        )
    union all by name
    select
        limits.*,
        arrays.controller_id,
        arrays.raid_level,
        arrays.drive_id,
        arrays.drive_count,
    from {{ ref('int_limits') }} as limits
    inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
    where
        limits.basis = 'practical'
        and limits.purpose = 'measured'
        and limits.ceiling_kind not in ('drives', 'controller')
),

rates as (
    select
        *,
        'stated' as kind,
        measurement_id as source,
        per_drive_outstanding_io_count as queue_depth_per_drive,
        -- a closed loop keeps its queue full: Little's law gives a mean latency that is not printed
        coalesce(latency_mean_us, min_latency_mean_us) is null as is_by_law,
        if(is_by_law, outstanding_io_count * 1e6 / iops, latency_mean_us) as mean_us,
    from {{ ref('fct_measurements') }}
    where
        is_valid
        and is_example is not true
        and (
            document_id is not null
            or controller in (select controller from named)
            and measurement_id in (
                select verdicts.measurement_id
                from {{ ref('rpt_run_verdicts') }} as verdicts
                where verdicts.verdict = 'trusted'
            )
        )
    -- own runs: the newest of each configuration
    qualify
        document_id is not null
        or row_number() over (
            partition by server, array_id, profile_id, outstanding_io_count, worker_count, condition
            order by measured_at desc nulls last, measurement_id asc
        ) = 1
    union all by name
    select distinct
        'limit of the ' || if(limits.ceiling_kind = 'drives', 'drives', 'links') as kind,
        {{ derivation_label('limits') }} as source,
        controllers.controller,
        limits.raid_level,
        drives.drive,
        limits.drive_count,
        limits.profile_id,
        limits.iops,
        limits.bytes_per_second,
    from limits
    inner join {{ ref('int_controllers') }} as controllers using (controller_id)
    inner join named using (controller)
    inner join {{ ref('int_drives') }} as drives using (drive_id)
),

quantities as (
    select
        *,
        unnest(['iops', 'throughput', 'latency_mean', 'latency_min', 'latency_max']) as metric,
        unnest(['iops', 'bytes_per_second', 'us', 'us', 'us']) as compared_unit,
        unnest([iops, bytes_per_second, mean_us, latency_min_us, latency_max_us]) as value,
        unnest([min_iops, min_bytes_per_second, min_latency_mean_us]) as low,
        unnest([max_iops, max_bytes_per_second, max_latency_mean_us]) as high,
        if(is_by_law and metric = 'latency_mean', 'Little''s law', null) as method,
    from rates
    union all by name
    select * from {{ ref('int_claims_terms') }}
)

select
    {% for column in [
        'kind', 'document_id', 'page', 'locator', 'source', 'measurement_id', 'server',
        'controller', 'controller_generation', 'base', 'raid_level', 'raid_level_as_printed',
        'drive', 'drive_media', 'drive_count', 'profile_id', 'condition', 'outstanding_io_count',
        'queue_depth_per_drive', 'worker_count', 'stripe_bytes', 'metric', 'compared_unit',
        'value', 'value_qualifier', 'is_derived', 'limit_of', 'method'
    ] -%}
        {{ column }},
    {% endfor -%}
    source || ' ' || metric as point_id,
    -- a rate of "more than" gives a latency of "less than"
    if(
        compared_unit in ('us', 'ratio')
        and value_qualifier = if(method is null, 'at_most', 'at_least'),
        0, coalesce(value, low)
    ) as low_value,
    if(
        value_qualifier = 'at_least' and method is null,
        cast('infinity' as double), coalesce(high, value)
    ) as high_value,
from quantities
where coalesce(value, low) is not null
