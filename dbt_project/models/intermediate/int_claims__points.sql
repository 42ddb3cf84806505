-- What claims can be judged on, a row a value: measurements, and times to initialise, which the
-- papers state as facts. A value is an interval: what is printed as "more than" has no upper end.
-- `tags` is what a point is known to be; `traits` is what two points must not differ in.
with described as (
    select
        points.*,
        drives.drive_media as catalogued_media,
        controllers.controller_generation as catalogued_generation,
        profiles.random_ratio,
        profiles.block_bytes as profile_block_bytes,
        profiles.profile_read_ratio,
        profiles.profile_tags,
        string_split(coalesce(points.condition, ''), '; ') as conditions,
        nullif(regexp_extract(points.condition, '(^|; )CPU ([^;]+)', 2), '') as cpu,
        nullif(
            regexp_extract(points.condition, '(\w+ (Capacity|Performance)) formatting', 1), ''
        ) as formatting,
        nullif(regexp_extract(points.condition, '(disk|drive) cache \w+'), '') as drive_cache,
        coalesce(points.drive_count = 1, false)
        and coalesce(points.raid_level, 'JBOD') = 'JBOD' as is_single,
        coalesce(
            points.queue_depth_per_drive || ' per drive',
            cast(points.outstanding_io_count as varchar),
            nullif(regexp_extract(points.condition, 'load intensity increased further'), ''),
            nullif(regexp_extract(points.condition, '(^|; )(higher load intensities)', 2), ''),
            nullif(regexp_extract(points.condition, 'maximum|minimum'), '')
        ) as load_label,
    from {{ ref('int_claims__sources') }} as points
    left join {{ ref('int_drives') }} as drives using (drive)
    left join {{ ref('int_controllers') }} as controllers using (controller)
    left join {{ ref('int_claims__profiles') }} as profiles using (profile_id)
)

select
    point_id,
    measurement_id,
    source,
    document_id,
    array_id,
    controller,
    raid_level,
    drive_count,
    profile_id,
    is_fact,
    is_single,
    is_derived,
    metric,
    compared_unit,
    value_qualifier as point_qualifier,
    value,
    low_value,
    high_value,
    method,
    printed_in,
    coalesce(queue_depth_per_drive, outstanding_io_count) as load,
    list_filter(
        [
            'controller=' || controller,
            case when controller is not null then 'controller=all controllers' end,
            'raid_level=' || coalesce(raid_level, raid_level_as_printed),
            case when is_single then 'raid_level=single' end,
            'drive=' || drive,
            'drive=' || coalesce(catalogued_media, drive_media),
            'drive_count=' || drive_count,
            case
                when random_ratio = 0 and profile_read_ratio = 1 then 'profile=sequential read'
                when random_ratio = 0 and profile_read_ratio = 0 then 'profile=sequential write'
            end,
            'server=' || server,
            'generation=' || catalogued_generation,
            'generation=' || replace(
                nullif(regexp_extract(condition, '\((S\w+-\w+)\)', 1), ''), '-', ' '
            ),
            'outstanding_io_count=' || load_label,
            'outstanding_io_count=' || outstanding_io_count,
            case
                when regexp_matches(condition, 'above one|higher load|increased further')
                    then 'outstanding_io_count=more than 1'
            end,
            'cpu=' || cpu,
            'formatting=' || formatting,
            'read_share=' || round(cast(profile_read_ratio as double), 2),
            'random=' || cast(random_ratio as int),
            'media=' || coalesce(
                catalogued_media, drive_media,
                nullif(regexp_extract(condition, '(^|; )(SSD|HDD)s', 2), '')
            ),
        ]
        || coalesce(profile_tags, [])
        || list_transform(conditions, lambda word: 'condition=' || word),
        lambda tag: tag is not null
    ) as tags,
    map {
        'server': server,
        'controller': controller,
        'raid_level': raid_level,
        'drive': drive,
        'drive_count': cast(drive_count as varchar),
        'stripe': cast(stripe_bytes as varchar),
        'profile': case when profile_id not like '%unstated%' then profile_id end,
        'block': cast(profile_block_bytes as varchar),
        'random': cast(random_ratio as varchar),
        'load': load_label,
        'workers': cast(worker_count as varchar),
        'cpu': cpu,
        'formatting': formatting,
        'drive_cache': drive_cache
    } as traits,
from described
