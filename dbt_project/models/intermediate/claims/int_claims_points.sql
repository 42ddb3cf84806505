-- The numbers that claims are judged on: measurements of documents, and of controllers of one's own
-- that a claim names; the limits of drives and links; terms. `traits` is what two of them must not
-- differ in, `names` what a claim may call each trait, `steps` where on a curve it is. Each number is an
-- interval: what is printed as "more than" has no upper end.
with rates as (
    select
        *,
        'stated' as kind,
        measurement_id as source,
        -- a closed loop keeps its queue full: a mean latency that is not printed is Little's law's
        coalesce(latency_mean_us, min_latency_mean_us) is null as is_by_law,
        if(is_by_law, outstanding_io_count * 1e6 / iops, latency_mean_us) as mean_us,
    from {{ ref('int_results') }}
    where
        is_valid
        and is_example is not true
        and (
            document_id is not null
            or controller in (
                select unnest(list_concat(controllers, subjects, objects))
                from {{ ref('int_claims') }}
            )
        )
    -- of own runs the newest of each configuration
    qualify
        document_id is not null
        or row_number() over (
            partition by server, array_id, profile_id, outstanding_io_count, worker_count, condition
            order by measured_at desc nulls last, measurement_id asc
        ) = 1
    union all by name
    select distinct
        'limit of the ' || if(limits.kind.ceiling_kind = 'drives', 'drives', 'links') as kind,
        limits.kind.formula as source,
        controllers.controller,
        arrays.raid_level,
        drives.drive,
        arrays.drive_count,
        profile_id,
        limits.kind.iops,
        limits.kind.bytes_per_second,
    from {{ ref('int_ceilings_by_basis') }} as ceilings
    cross join unnest(ceilings.limits) as limits (kind)
    inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
    inner join {{ ref('int_controllers') }} as controllers using (controller_id)
    inner join {{ ref('int_drives') }} as drives using (drive_id)
    where
        ceilings.basis = 'practical'
        and limits.kind.ceiling_kind != 'controller'
        and ceilings.purpose = if(limits.kind.ceiling_kind = 'drives', 'what-if', 'measured')
        -- a data sheet's bound shows nothing that drives can do
        and arrays.is_rated is not true
        -- of what could be built only what claims speak of
        and (
            ceilings.purpose = 'measured'
            or cast(arrays.drive_count as varchar) in (
                select unnest(string_split(drive_count, '; ')) from {{ ref('int_claims') }}
            )
        )
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
),

-- a condition that the seed knows says one trait
conditions as (
    select
        rates.measurement_id,
        map_from_entries(list((known.trait, known.value))) as stated,
    from rates
    inner join {{ ref('claim_conditions') }} as known
        on list_contains(string_split(rates.condition, '; '), known.condition)
    group by rates.measurement_id
),

-- A load goes by the names that a document gives to just this load, and by those of a load that
-- leaves something unstated which is stated here.
profile_names as (
    select
        profiles.profile_id,
        names.document_id,
        list_sort(list(distinct names.profile_name)) as named,
    from {{ ref('int_load_profiles') }} as profiles
    inner join {{ ref('int_white_papers__profiles') }} as names
        on
            profiles.profile_id = names.profile_id
            or len(names.block_mix) = 1
            and coalesce(profiles.random_ratio = names.random_ratio, names.random_ratio is null)
            and coalesce(profiles.read_ratio = names.read_ratio, names.read_ratio is null)
            and coalesce(profiles.block_bytes = names.block_bytes, names.block_bytes is null)
    group by all
),

profiles as (
    select
        loads.profile_id,
        loads.random_ratio,
        loads.read_ratio,
        loads.block_bytes,
        -- what is unstated can be no difference
        if(loads.random_ratio + loads.read_ratio is null, null, loads.profile_id) as stated_profile,
        map_from_entries(list((profile_names.document_id, profile_names.named))) as profile_names,
    from {{ ref('int_load_profiles') }} as loads
    inner join profile_names using (profile_id)
    group by all
),

-- A controller's limit is said of its twins too, and holds for all drives that could do more.
limits as (
    select
        points.source,
        list(distinct twins.controller) as controllers,
        list(distinct rooms.drive) as drives,
        list(distinct cast(rooms.drive_count as varchar)) as drive_counts,
    from quantities as points
    inner join {{ ref('int_controller_twins') }} as alike
        on {{ slug('points.controller') }} = alike.controller_id
    inner join {{ ref('int_controllers') }} as twins
        on alike.twin_controller_id = twins.controller_id
    left join quantities as rooms
        on
            rooms.kind = 'limit of the drives'
            and row(points.controller, points.raid_level, points.profile_id, points.metric)
            = row(rooms.controller, rooms.raid_level, rooms.profile_id, rooms.metric)
            and coalesce(points.drive = rooms.drive, true)
            and points.value < 0.9 * rooms.value
    where points.limit_of = 'controller'
    group by points.source
)

select
    points.* exclude (low, high),
    points.source || ' ' || points.metric as point_id,
    profiles.profile_names,
    points.drive_count = 1 and coalesce(points.raid_level, 'JBOD') = 'JBOD' as is_single_drive,
    -- "more than" of a rate is "less than" of the latency that follows from it
    if(
        points.compared_unit in ('us', 'ratio')
        and points.value_qualifier = if(points.method is null, 'at_most', 'at_least'),
        0, coalesce(points.value, points.low)
    ) as low_value,
    if(
        points.value_qualifier = 'at_least' and points.method is null,
        cast('infinity' as double), coalesce(points.high, points.value)
    ) as high_value,
    map {
        'outstanding_io_count': coalesce(points.queue_depth_per_drive, points.outstanding_io_count),
        'drive_count': points.drive_count, 'block_size': profiles.block_bytes,
        'read_share': profiles.read_ratio
    } as steps,
    map {
        'server': points.server, 'controller': points.controller, 'base': points.base,
        'raid_level': points.raid_level,
        'drive': if(points.limit_of is null, points.drive, null),
        'drive_count': if(points.limit_of is null, points.drive_count, null) || '',
        'profile': profiles.stated_profile, 'block_size': profiles.block_bytes || '',
        'random': profiles.random_ratio || '',
        'read_share': {{ percent_label('profiles.read_ratio') }} || '%',
        'outstanding_io_count': coalesce(
            points.queue_depth_per_drive || ' per drive', points.outstanding_io_count || '',
            conditions.stated['outstanding_io_count']
        ),
        'stripe': points.stripe_bytes || '', 'workers': points.worker_count || '',
        -- a processor is named where it is not the document's usual one
        'cpu': coalesce(conditions.stated['cpu'], ''), 'formatting': conditions.stated['formatting'],
        'drive_cache': conditions.stated['drive_cache']
    } as traits,
    map {
        'controller': list_append(limits.controllers, points.controller),
        'drive': list_append(limits.drives, points.drive),
        'drive_count': list_append(limits.drive_counts, points.drive_count || ''),
        'raid_level': [
            coalesce(points.raid_level, points.raid_level_as_printed),
            if(is_single_drive, 'single drive', null)
        ],
        'drive_media': [coalesce(drives.drive_media, points.drive_media)],
        'generation': [points.controller_generation, controllers.controller_generation],
        'access': [case profiles.random_ratio when 1 then 'random' when 0 then 'sequential' end]
    } as several_names,
from quantities as points
left join profiles using (profile_id)
left join conditions using (measurement_id)
left join limits using (source)
left join {{ ref('int_drives') }} as drives on points.drive = drives.drive
left join {{ ref('int_controllers') }} as controllers on points.controller = controllers.controller
where coalesce(points.value, points.low) is not null
