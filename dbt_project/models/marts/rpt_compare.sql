-- Arrays and single drives at a load profile, each compared with its ceiling and with the next
-- lower one of its kind (both our own or both printed, with the same RAID level and media). A
-- controller measured only at another RAID level or another profile has a row that says so.
with profiles as (
    select distinct
        profile_id,
        profile_short_label,
        profile_label,
        headline_metric,
    from {{ ref('int_array_values') }}
),

controllers as (
    select distinct
        profile_id,
        controller,
        raid_level,
    from {{ ref('int_array_values') }}
    where controller is not null and drive_count is distinct from 1
),

gaps as (
    select
        levels.profile_id,
        levels.raid_level,
        others.controller,
        coalesce(
            'at this load profile only ' || string_agg(
                distinct others.raid_level, ', ' order by others.raid_level
            ) filter (others.profile_id = levels.profile_id),
            'at other load profiles only'
        ) as remark,
    from controllers as levels
    inner join controllers as others
        on levels.profile_id = others.profile_id or levels.raid_level = others.raid_level
    where levels.raid_level is not null
    group by levels.profile_id, levels.raid_level, others.controller
    having bool_and(
        (others.profile_id = levels.profile_id and others.raid_level = levels.raid_level)
        is not true
    )
)

select
    points.profile_id,
    points.profile_short_label,
    points.profile_label,
    points.headline_metric,
    case
        when points.document_id is null then 'our own'
        when points.drive_count = 1 then 'paper, drive'
        else 'paper, array'
    end as group_name,
    points.array_label,
    coalesce(points.controller, 'not reported') as controller,
    coalesce(points.raid_level, 'not reported') as raid_level,
    coalesce(points.drive_count = 1, false)
    or (group_name = 'our own' and points.raid_level is null) as has_any_raid_level,
    {{ drives_label('points.drive_count', 'points.drive', 'points.drive_media') }} as drives_label,
    points.drive_media,
    points.drive is not null and points.drive_count is not null as has_known_drives,
    points.headline_value,
    points.value_qualifier,
    {{ mark('points.value_qualifier') }}
    || if(
        points.headline_metric = 'iops',
        {{ rounded_label('points.headline_value', "'iops'") }},
        {{ compared_label('points.headline_value', 'points.headline_metric') }}
    ) as value_label,
    points.min_headline_value,
    points.max_headline_value,
    points.min_headline_value < lead(points.max_headline_value) over of_kind
    and greatest(points.run_count, lead(points.run_count) over of_kind) > 1
        as has_overlap,
    {{ factor_mark(
        'points.value_qualifier', 'lead(points.value_qualifier) over of_kind',
        'points.document_id = lead(points.document_id) over of_kind', 'has_overlap'
    ) }}
    || {{ times_label('points.headline_value / lead(points.headline_value) over of_kind') }}
        as next_label,
    lead(points.array_label) over of_kind as next_array_label,
    points.binding_ceiling,
    points.ceiling_scope,
    points.attained_ratio,
    {{ attained_label('points.ceiling_scope', 'points.value_qualifier', 'points.attained_ratio') }}
        as attained_label,
    points.ceiling_value as ceiling_headline_value,
    {{ compared_label('points.ceiling_value', 'points.headline_metric') }} || ', '
    || points.binding_ceiling as ceiling_label,
    if(
        points.run_count > 1,
        'median of ' || points.run_count || ' runs, '
        || {{ compared_label('points.min_headline_value', 'points.headline_metric') }} || ' to '
        || {{ compared_label('points.max_headline_value', 'points.headline_metric') }}, null
    ) as repeats_label,
    nullif(
        concat_ws(
            '; ', repeats_label,
            {{ counted('points.outstanding_io_count', 'outstanding I/O') }},
            'mean latency ' || {{ quantity_label(three_digits('points.latency_mean_us'), "'us'") }}
        ), ''
    ) as remark,
    points.run_count as measurement_count,
    points.outstanding_io_count,
    points.latency_mean_us,
    -- a tool prints a dozen numbers of one run; the compared one comes first
    split_part(points.as_printed, '; ', 1) as as_printed,
    points.document_id,
    if(
        points.document_id is null,
        concat_ws(', ', points.source_format, strftime(points.measured_at, '%Y-%m-%d')),
        concat_ws(', ', points.document_title, 'p. ' || points.pages)
    ) as source_label,
    points.pages,
    verdicts.verdict as run_verdict,
    points.is_example,
    points.measurement_id,
from {{ ref('int_array_values') }} as points
left join {{ ref('rpt_run_verdicts') }} as verdicts
    on points.measurement_id = verdicts.measurement_id
where points.is_first_of_label
window
    of_kind as (
        partition by
            points.profile_id, group_name, has_any_raid_level, points.raid_level, points.drive_media
        order by points.headline_value desc, points.array_label asc
    )
union all by name
select
    gaps.*,
    profiles.* exclude (profile_id),
    'paper, array' as group_name,
    gaps.controller || ', ' || gaps.raid_level as array_label,
    false as has_any_raid_level,
    'not measured' as value_label,
from gaps
inner join profiles using (profile_id)
