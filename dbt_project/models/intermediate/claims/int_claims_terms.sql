-- The numbers that claims are judged on besides rates of arrays: stated initialisation times,
-- printed factors between controllers or between numbers of drives, the number of drives that
-- saturates a controller, and the cost of RAID levels.
with shares as (
    -- share of the drives' random rate left after the RAID level's extra I/Os
    select
        levels.raid_level,
        profiles.profile_id,
        1 - profiles.read_ratio as write_ratio,
        1 / (profiles.read_ratio + write_ratio * levels.random_write_operation_count) as share,
        'dim_raid_levels.csv: 1 / (' || {{ short('profiles.read_ratio') }} || ' + '
        || {{ short('write_ratio') }} || ' x ' || levels.random_write_operation_count || ')'
            as formula,
    from {{ ref('dim_raid_levels') }} as levels
    cross join {{ ref('int_load_profiles') }} as profiles
    where profiles.published_names is not null and profiles.random_ratio = 1
),

-- printed factors between controllers or between numbers of drives
factors as (
    select
        claims.* exclude (drive_count),
        profiles.profile_id,
        claims.factor + claims.added_ratio as value,
        claims.min_factor + claims.added_ratio as low,
        -- keeps "<6%" below a range that begins with 6
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

-- factors that start at the same number of drives share one starting point
curves as (
    select *
    from curve_ends
    qualify
        row_number() over (
            partition by document_id, controller, raid_level, drive, profile_id, drive_count
            order by claim_id
        ) = 1
)

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
    'dim_raid_levels.csv: ' || raid_level as source,
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
