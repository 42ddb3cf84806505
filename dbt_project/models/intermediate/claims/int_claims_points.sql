-- What claims are judged on, a row a value: measurements, a row for each of their quantities, and
-- other terms. A value is an interval: what is printed as "more than" has no upper end. `tags` is
-- what a point is known to be; `traits` is what two points must not differ in.
with measurements as (
    select
        *,
        'stated' as kind,
        measurement_id as source,
        document_id || ' ' || locator as printed_in,
        -- a closed loop keeps its queue full: a mean latency that is not printed is Little's law's
        coalesce(latency_mean_us, min_latency_mean_us) is null as is_by_law,
        if(is_by_law, outstanding_io_count * 1e6 / iops, latency_mean_us) as mean_us,
    from {{ ref('int_measurements') }}
    where
        is_valid
        -- own runs count of a controller that a claim names
        and coalesce(document_id, controller) in (
            select {{ each_of("concat_ws('; ', document_id, controller, subject, object)") }}
            from {{ ref('int_claims') }}
        )
    -- of own runs the newest of each configuration
    qualify
        document_id is not null
        or row_number() over (
            partition by server, array_id, profile_id, outstanding_io_count, worker_count, condition
            order by measured_at desc nulls last, measurement_id asc
        ) = 1
),

points as (
    select
        *,
        unnest(['iops', 'throughput', 'latency_mean', 'latency_min', 'latency_max']) as metric,
        unnest([iops, bytes_per_second, mean_us, latency_min_us, latency_max_us]) as value,
        unnest([min_iops, min_bytes_per_second, min_latency_mean_us]) as low,
        unnest([max_iops, max_bytes_per_second, max_latency_mean_us]) as high,
    from measurements
    union all by name
    select * from {{ ref('int_claims_terms') }}
),

-- By what names a claim may mean a load profile: those that a document gives to just this load,
-- and those of a load that leaves something unstated which is stated here.
profiles as (
    select
        profiles.profile_id,
        min(profiles.random_ratio) as random_ratio,
        min(profiles.read_ratio) as read_ratio,
        any_value(profiles.block_bytes) as block_bytes,
        list(distinct names.document_id || ' ' || names.profile_name) as profile_tags,
    from {{ ref('int_load_profiles') }} as profiles
    inner join {{ ref('int_load_profiles') }} as names
        on
            profiles.profile_id = names.profile_id
            or names.profile_id like '%unstated%'
            and coalesce(profiles.random_ratio = names.random_ratio, names.random_ratio is null)
            and coalesce(profiles.read_ratio = names.read_ratio, names.read_ratio is null)
            and coalesce(profiles.block_bytes = names.block_bytes, names.block_bytes is null)
    where names.document_id is not null
    group by profiles.profile_id
),

-- A controller's limit is said of its twins too, and holds for each number of drives that could do
-- more.
limits as (
    select
        points.source,
        list(distinct twins.controller) || list(distinct rooms.drive_count || ' drives')
        || list(distinct rooms.drive) as limit_tags,
    from points
    inner join {{ ref('int_controller_twins') }} as alike using (controller_id)
    inner join {{ ref('int_controllers') }} as twins
        on alike.twin_controller_id = twins.controller_id
    left join {{ ref('int_claims_terms') }} as rooms
        on
            rooms.kind = 'limit of the drives'
            and points.controller = rooms.controller
            and points.raid_level = rooms.raid_level
            and points.profile_id = rooms.profile_id
            and points.metric = rooms.metric
            and points.value < 0.9 * rooms.value
            and coalesce(points.drive = rooms.drive, true)
    where points.limit_of = 'controller'
    group by points.source
)

select
    points.source || ' ' || points.metric as point_id,
    points.kind,
    points.measurement_id,
    points.source,
    points.document_id as point_document_id,
    points.page as point_page,
    points.printed_in,
    points.metric as point_metric,
    points.value_qualifier as point_qualifier,
    points.value,
    coalesce(points.is_derived, false) as is_estimated,
    case
        when points.kind = 'gain' then 'ratio'
        when points.kind = 'derived' then 'count'
        when points.metric = 'iops' then 'iops'
        when points.metric = 'throughput' then 'bytes_per_second'
        else 'us'
    end as compared_unit,
    if(points.is_by_law and points.metric = 'latency_mean', 'Little''s law', null) as method,
    -- "more than" of a rate is "less than" of the latency that follows from it
    if(
        compared_unit in ('us', 'ratio')
        and points.value_qualifier = if(method is null, 'at_most', 'at_least'),
        0, coalesce(points.value, points.low)
    ) as low_value,
    if(
        points.value_qualifier = 'at_least' and method is null,
        cast('infinity' as double), coalesce(points.high, points.value)
    ) as high_value,
    string_split(coalesce(points.condition, ''), '; ') as words,
    list_filter(words, lambda word: word like 'CPU %')[1] as cpu,
    nullif(regexp_extract(points.condition, '(\w+ \w+) formatting', 1), '') as formatting,
    coalesce(
        points.queue_depth_per_drive || ' per drive', points.outstanding_io_count || ' outstanding',
        nullif(regexp_extract(
            points.condition,
            'load intensity increased further|higher load intensities|maximum|minimum'
        ), '')
    ) as load_label,
    list_concat(
        [points.controller, points.drive, points.server, controllers.controller_generation],
        [coalesce(drives.drive_media, points.drive_media) || 's', load_label, cpu[5:], formatting],
        [coalesce(points.raid_level, points.raid_level_as_printed)],
        [points.drive_count || ' drives'],
        [replace(regexp_extract(points.condition, '[(](S\w+-\w+)[)]', 1), '-', ' ')],
        [if(
            points.drive_count = 1 and coalesce(points.raid_level, 'JBOD') = 'JBOD',
            'single drive', null
        )],
        ['limit of the ' || points.limit_of],
        [{{ percent_label('profiles.read_ratio') }} || '% read'],
        [case profiles.random_ratio when 1 then 'random' when 0 then 'sequential' end],
        profiles.profile_tags, limits.limit_tags, words
    ) as tags,
    map {
        'server': points.server, 'controller': points.controller, 'raid_level': points.raid_level,
        'drive': if(points.limit_of is null, points.drive, null),
        'drive_count': if(points.limit_of is null, points.drive_count, null) || '',
        'profile': case when points.profile_id not like '%unstated%' then points.profile_id end,
        'block_size': profiles.block_bytes || '', 'random': profiles.random_ratio || '',
        'read_share': profiles.read_ratio || '', 'outstanding_io_count': load_label,
        'stripe': points.stripe_bytes || '', 'workers': points.worker_count || '',
        'cpu': cpu, 'formatting': formatting,
        'drive_cache': nullif(regexp_extract(points.condition, '(disk|drive) cache \w+'), '')
    } as traits,
from points
left join profiles using (profile_id)
left join limits on points.source = limits.source and points.kind = 'stated'
left join {{ ref('int_drives') }} as drives on points.drive = drives.drive
left join {{ ref('int_controllers') }} as controllers on points.controller = controllers.controller
where coalesce(points.value, points.low) is not null
