-- The numbers that claims are judged on: measurements of documents, and of own controllers that a
-- claim names; the limits of drives and links; and terms, which are stated times to initialise,
-- printed factors of one controller over another or of drives over fewer of them, how many drives
-- saturate a controller, and what RAID levels cost. Each is an interval: what is printed as "more
-- than" has no upper end.
with named as (
    select distinct unnest(list_concat(controllers, subjects, objects)) as controller
    from {{ ref('int_claims') }}
),

-- Of arrays that could be built the drives' limits, with as many drives as claims speak of. A data
-- sheet's bound shows nothing that drives can do.
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
        -- a closed loop keeps its queue full: a mean latency that is not printed is Little's law's
        coalesce(latency_mean_us, min_latency_mean_us) is null as is_by_law,
        if(is_by_law, outstanding_io_count * 1e6 / iops, latency_mean_us) as mean_us,
    from {{ ref('fct_measurements') }}
    where
        is_valid
        and is_example is not true
        and (document_id is not null or controller in (select controller from named))
    -- of own runs the newest of each configuration
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

shares as (
    -- what a level leaves of the drives' random rate
    select
        levels.raid_level,
        profiles.profile_id,
        1 - profiles.read_ratio as write_ratio,
        1 / (profiles.read_ratio + write_ratio * levels.random_write_operation_count) as share,
        'raid_levels.csv: 1 / (' || {{ short('profiles.read_ratio') }} || ' + '
        || {{ short('write_ratio') }} || ' x ' || levels.random_write_operation_count || ')'
            as formula,
    from {{ ref('dim_raid_levels') }} as levels
    cross join {{ ref('int_load_profiles') }} as profiles
    where profiles.published_names is not null and profiles.random_ratio = 1
),

-- printed factors, of one controller over another or of drives over fewer of them
factors as (
    select
        claims.* exclude (drive_count),
        profiles.profile_id,
        claims.factor + claims.added_ratio as value,
        claims.min_factor + claims.added_ratio as low,
        -- "<6%" is less than a range that begins with 6
        coalesce(
            claims.max_factor + claims.added_ratio,
            if(claims.qualifier = 'at_most', value - 1e-6, null)
        ) as high,
    from {{ ref('int_claims') }} as claims
    inner join {{ ref('int_white_papers__profiles') }} as profiles
        on claims.document_id = profiles.document_id and claims.profile = profiles.profile_name
    where
        claims.compares in ('controller', 'drive_count')
        and claims.relation in ('ratio', 'percent_higher')
        and claims.object_kind = 'stated'
),

curve_ends as (
    select
        * exclude (metric, value, low, high),
        unnest([cast(subject as bigint), cast(object as bigint)]) as drive_count,
        unnest([value, 1]) as value,
    from factors
    where compares = 'drive_count'
),

-- of the factors that start at one number of drives the start counts once
curves as (
    select *
    from curve_ends
    qualify
        row_number() over (
            partition by document_id, controller, raid_level, drive, profile_id, drive_count
            order by claim_id
        ) = 1
),

terms as (
    select
        'stated' as kind,
        document_id,
        sheet_path || ' line ' || line as source,
        {{ each_of('subjects') }} as controller,
        unnest(string_split(condition, '; ')) as raid_level,
        attribute as metric,
        'us' as compared_unit,
        qualifier as value_qualifier,
        value,
        min_value as low,
        max_value as high,
    from {{ ref('stg_white_papers__facts') }}
    where
        edition_order = 1
        and attribute = 'initialisation_time'
        and document_id in (select document_id from {{ ref('int_claims') }})
    union all by name
    select
        'gain' as kind,
        document_id,
        claim_id as source,
        subject as controller,
        object as base,
        raid_level,
        drive_media,
        profile_id,
        loads[1] as outstanding_io_count,
        metric,
        'ratio' as compared_unit,
        qualifier as value_qualifier,
        value,
        low,
        high,
    from factors
    where compares = 'controller'
    union all by name
    -- with a queue for each drive, drives that do less than their share take longer (Little's law)
    select
        'gain' as kind,
        document_id,
        claim_id as source,
        controller,
        raid_level,
        drive,
        drive_count,
        profile_id,
        if(load like '% per drive', loads[1], null) as queue_depth_per_drive,
        unnest(['iops', 'latency_mean']) as metric,
        'ratio' as compared_unit,
        unnest([null, 'Little''s law']) as method,
        unnest([value, drive_count / value]) as value,
    from curves
    union all by name
    select
        'derived' as kind,
        limits.measurement_id || '; ' || rates.measurement_id || ' x ' || shares.formula as source,
        limits.measurement_id,
        controllers.controller,
        limits.raid_level,
        drives.drive,
        limits.profile_id,
        'drives_to_saturate' as metric,
        'count' as compared_unit,
        if(limits.known_from = 'twin', 'approximate', null) as value_qualifier,
        ceil(limits.iops / (rates.iops * shares.share)) as value,
    from {{ ref('int_controller_limits') }} as limits
    inner join shares using (raid_level, profile_id)
    inner join {{ ref('int_drive_rates') }} as rates using (profile_id)
    inner join {{ ref('int_controllers') }} as controllers using (controller_id)
    inner join {{ ref('int_drives') }} as drives using (drive_id)
    where
        coalesce(limits.left_out, rates.left_out) is null
        and limits.known_from in ('controller', 'twin')
    union all by name
    select
        'derived' as kind,
        'raid_levels.csv: ' || raid_level as source,
        raid_level,
        unnest(['write_penalty', 'throughput']) as metric,
        'count' as compared_unit,
        random_write_operation_count as value,
    from {{ ref('dim_raid_levels') }}
    where raid_level != 'JBOD'
    union all by name
    select
        'derived' as kind,
        formula as source,
        raid_level,
        profile_id,
        'iops' as metric,
        'count' as compared_unit,
        share as value,
    from shares
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
    select * from terms
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
    -- "more than" of a rate is "less than" of the latency that follows from it
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
