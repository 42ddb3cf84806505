-- The attributes of each number. `traits` decide whether two numbers are comparable;
-- `several_names` has the traits with more than one name, `steps` the position of a number on a
-- curve. Each condition in the seed states one trait.
with conditions as (
    select
        points.point_id,
        map_from_entries(list((known.trait, known.value) order by known.trait)) as stated,
    from {{ ref('int_claims_values') }} as points
    inner join {{ ref('claim_conditions') }} as known
        on list_contains(string_split(points.condition, '; '), known.condition)
    group by points.point_id
),

-- A load profile has the names that a document gives to it, and those of the document's profiles
-- that leave a share or the block size unstated and otherwise match it.
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
        -- an unstated share is not a difference
        if(loads.random_ratio + loads.read_ratio is null, null, loads.profile_id) as stated_profile,
        map_from_entries(list(
            (profile_names.document_id, profile_names.named) order by profile_names.document_id
        )) as profile_names,
    from {{ ref('int_load_profiles') }} as loads
    inner join profile_names using (profile_id)
    group by all
),

-- A controller's limit also applies to its twins, and to all drives that could exceed it.
limits as (
    select *
    from {{ ref('int_claims_values') }}
    where limit_of = 'controller'
),

twin_names as (
    select
        limits.source,
        list_sort(list(distinct twin_controllers.controller)) as controllers,
    from limits
    inner join {{ ref('int_controller_twins') }} as twins
        on {{ slug('limits.controller') }} = twins.controller_id
    inner join {{ ref('int_controllers') }} as twin_controllers
        on twins.twin_controller_id = twin_controllers.controller_id
    group by limits.source
),

faster_drives as (
    select
        limits.source,
        list_sort(list(distinct faster.drive)) as drives,
        list_sort(list(distinct cast(faster.drive_count as varchar))) as drive_counts,
        list_sort(list(distinct faster.drive || ' x ' || faster.drive_count)) as arrays,
    from limits
    inner join {{ ref('int_claims_values') }} as faster
        on
            row(limits.controller, limits.raid_level, limits.profile_id, limits.metric)
            = row(faster.controller, faster.raid_level, faster.profile_id, faster.metric)
            and coalesce(limits.drive = faster.drive, true)
            and limits.value < 0.9 * faster.value
    where faster.kind = 'limit of the drives'
    group by limits.source
)

select
    points.*,
    profiles.profile_names,
    points.drive_count = 1 and coalesce(points.raid_level, 'JBOD') = 'JBOD' as is_single_drive,
    map {
        'outstanding_io_count': coalesce(
            points.queue_depth_per_drive, points.outstanding_io_count
        ),
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
        -- documents name a processor only if it is not their usual one
        'cpu': if(points.kind = 'stated', coalesce(conditions.stated['cpu'], ''), null),
        'formatting': conditions.stated['formatting'],
        'drive_cache': conditions.stated['drive_cache']
    } as traits,
    map {
        'controller': coalesce(twin_names.controllers, [points.controller]),
        'drive': list_append(faster_drives.drives, points.drive),
        'drive_count': list_append(faster_drives.drive_counts, points.drive_count || ''),
        'array': if(points.drive is null, faster_drives.arrays, null),
        'raid_level': [
            coalesce(points.raid_level, points.raid_level_as_printed),
            if(is_single_drive, 'single drive', null)
        ],
        'drive_media': [coalesce(drives.drive_media, points.drive_media)],
        'generation': [points.controller_generation, controllers.controller_generation],
        'access': [case profiles.random_ratio when 1 then 'random' when 0 then 'sequential' end]
    } as several_names,
from {{ ref('int_claims_values') }} as points
left join profiles using (profile_id)
left join conditions using (point_id)
left join twin_names using (source)
left join faster_drives using (source)
left join {{ ref('int_drives') }} as drives on points.drive = drives.drive
left join {{ ref('int_controllers') }} as controllers on points.controller = controllers.controller
