-- What a paper prints of the controller and RAID level of an array that we measured, at the same
-- load profile: of this array before others, of its drives before others, values before bounds.
select
    own.array_id,
    own.profile_id,
    points.array_label,
    points.headline_value,
    {{ mark('points.value_qualifier') }}
    || {{ rounded_label('points.headline_value', 'points.headline_metric') }} as value_label,
    points.outstanding_io_count,
    points.document_title,
    points.pages,
    points.measurement_id,
from {{ ref('int_array_values') }} as own
inner join {{ ref('int_array_values') }} as points using (profile_id, controller, raid_level)
where own.document_id is null and points.document_id is not null
qualify
    row_number() over (
        partition by own.array_id, own.profile_id
        order by
            own.array_id = points.array_id desc,
            coalesce(own.drive = points.drive, false) desc,
            points.value_qualifier = 'at_most' asc,
            points.headline_value desc, points.measurement_id asc
    ) = 1
