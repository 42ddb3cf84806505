-- What is known of each number. `tags` is what a claim may call it by; `traits` is what two numbers
-- must not differ in. A load profile goes by the names that a document gives to just this load, and
-- by those of a load that leaves something unstated which is stated here.
with profiles as (
    select
        profiles.profile_id,
        profiles.random_ratio,
        profiles.read_ratio,
        profiles.block_bytes,
        list_sort(list(distinct names.document_id || ' ' || names.profile_name)) as profile_tags,
    from {{ ref('int_load_profiles') }} as profiles
    inner join {{ ref('int_white_papers__profiles') }} as names
        on
            profiles.profile_id = names.profile_id
            or names.profile_id like '%unstated%'
            and coalesce(profiles.random_ratio = names.random_ratio, names.random_ratio is null)
            and coalesce(profiles.read_ratio = names.read_ratio, names.read_ratio is null)
            and coalesce(profiles.block_bytes = names.block_bytes, names.block_bytes is null)
    group by all
),

-- A controller's limit is said of its twins too, and holds for all drives that could do more.
limits as (
    select
        points.source,
        list_sort(list(distinct twins.controller))
        || list_sort(list(distinct rooms.drive_count || ' drives'))
        || list_sort(list(distinct rooms.drive)) as limit_tags,
    from {{ ref('int_claims_values') }} as points
    inner join {{ ref('int_controller_twins') }} as alike using (controller_id)
    inner join {{ ref('int_controllers') }} as twins
        on alike.twin_controller_id = twins.controller_id
    left join {{ ref('int_claims_values') }} as rooms
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
    points.*,
    points.source || ' ' || points.metric as point_id,
    string_split(coalesce(points.condition, ''), '; ') as words,
    -- a processor is named where it is not the document's usual one
    regexp_extract(coalesce(points.condition, ''), '(^|; )CPU ([^;]+)', 2) as cpu,
    coalesce(
        points.queue_depth_per_drive || ' per drive', points.outstanding_io_count || ' outstanding',
        nullif(regexp_extract(
            points.condition,
            'load intensity increased further|higher load intensities|maximum|minimum'
        ), '')
    ) as load_label,
    map {
        'server': points.server, 'controller': points.controller, 'raid_level': points.raid_level,
        'drive': if(points.limit_of is null, points.drive, null),
        'drive_count': if(points.limit_of is null, points.drive_count, null) || '',
        'profile': case when points.profile_id not like '%unstated%' then points.profile_id end,
        'block_size': profiles.block_bytes || '', 'random': profiles.random_ratio || '',
        'read_share': profiles.read_ratio || '', 'outstanding_io_count': load_label,
        'stripe': points.stripe_bytes || '', 'workers': points.worker_count || '',
        'cpu': cpu,
        'formatting': nullif(regexp_extract(points.condition, '(\w+ \w+) formatting', 1), ''),
        'drive_cache': nullif(regexp_extract(points.condition, '(disk|drive) cache \w+'), '')
    } as traits,
    list_concat(
        [points.controller, points.drive, points.server, controllers.controller_generation],
        [points.drive_count || ' drives', load_label, cpu, traits['formatting']],
        [coalesce(points.raid_level, points.raid_level_as_printed)],
        [coalesce(drives.drive_media, points.drive_media) || 's'],
        case
            when points.drive_count = 1 and coalesce(points.raid_level, 'JBOD') = 'JBOD'
                then ['single drive']
        end,
        [{{ printed_generation('points.condition') }}],
        ['limit of the ' || points.limit_of],
        [{{ percent_label('profiles.read_ratio') }} || '% read'],
        [case profiles.random_ratio when 1 then 'random' when 0 then 'sequential' end],
        profiles.profile_tags, limits.limit_tags, words
    ) as tags,
from {{ ref('int_claims_values') }} as points
left join profiles using (profile_id)
left join limits using (source)
left join {{ ref('int_drives') }} as drives on points.drive = drives.drive
left join {{ ref('int_controllers') }} as controllers on points.controller = controllers.controller
