-- What a claim of a limit is held against: the links, of drives what they do one by one; and what
-- the same controller does with another number of drives.
with points as (
    select * from {{ ref('int_claims__sides') }}
    where
        relation in ('limit_reached', 'limit_not_reached')
        and knee is null
        and side = 'subject'
        and not is_derived
        and unread is null
        and metric in ('iops', 'throughput')
    -- of each array its best
    qualify
        value = max(value) over (
            partition by claim_id, controller, raid_level, drive_count, profile_id
        )
),

ceilings as (
    select
        array_id,
        profile_id,
        min(bytes_per_second) filter (is_link) * {{ practical_ratio() }} as link_bytes_per_second,
        min(iops) filter (is_link) * {{ practical_ratio() }} as link_iops,
        arg_min(formula, {{ least_first('bytes_per_second') }}) filter (is_link)
            as link_formula,
        max(bytes_per_second) filter (ceiling_kind = 'drives') as drives_bytes_per_second,
        max(iops) filter (ceiling_kind = 'drives') as drives_iops,
        max(formula) filter (ceiling_kind = 'drives') as drives_formula,
    from {{ ref('int_ceilings') }}
    group by array_id, profile_id
),

-- the same controller with another number of drives
others as (
    select
        points.claim_id,
        points.point_id,
        max(others.value) as greatest_value,
        arg_max(others.measurement_id, (others.value, others.measurement_id))
        filter (others.value is not null) as measurement_id,
        max(others.value) filter (others.drive_count < points.drive_count) as fewer_drives_value,
        max(others.value) filter (others.drive_count > points.drive_count) as more_drives_value,
    from points
    inner join {{ ref('int_claims__points') }} as others
        on
            points.metric = others.metric
            and points.point_document_id is not distinct from others.document_id
            and points.controller = others.controller
            and points.raid_level = others.raid_level
            and points.profile_id = others.profile_id
            and points.drive_count != others.drive_count
            and points.printed_in is distinct from others.printed_in
            and coalesce(points.traits['drive'] = others.traits['drive'], true)
            and coalesce(points.traits['cpu'] = others.traits['cpu'], true)
    where not others.is_derived
    group by points.claim_id, points.point_id
)

select
    points.*,
    case
        when points.compares = 'drive' and points.metric = 'iops' then ceilings.drives_iops
        when points.compares = 'drive' then ceilings.drives_bytes_per_second
        when points.metric = 'iops' then ceilings.link_iops
        else ceilings.link_bytes_per_second
    end as ceiling_value,
    if(points.compares = 'drive', ceilings.drives_formula, ceilings.link_formula) as formula,
    others.greatest_value,
    others.measurement_id as other_measurement_id,
    points.compares != 'drive' and coalesce(
        others.fewer_drives_value >= {{ unaffected_ratio() }} * points.value
        or points.value >= {{ unaffected_ratio() }} * others.more_drives_value, false
    ) as is_flat,
from points
left join ceilings using (array_id, profile_id)
left join others using (claim_id, point_id)
