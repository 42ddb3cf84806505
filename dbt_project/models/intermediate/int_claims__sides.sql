-- Which points are a claim's subject and which its object: those that have one of the tags of
-- that side and of everything that the claim holds fixed. A single drive has no array to be of.
with candidates as (
    select
        claims.*,
        points.* exclude (document_id, metric),
        points.document_id as point_document_id,
        points.is_single and list_has_any(
            coalesce(subject_tags, []) || coalesce(object_tags, []),
            ['raid_level=single', 'drive_count=1']
        ) as is_counterpart,
        case
            when claims.compares = 'drive_count' then points.drive_count else points.load
        end as step,
    from {{ ref('int_claims__wanted') }} as claims
    inner join {{ ref('int_claims__points') }} as points
        on
            claims.metric = points.metric
            and claims.document_id = coalesce(points.document_id, claims.document_id)
    where
        points.is_fact
        or coalesce(list_has_any(points.tags, claims.wanted_profiles), true)
        and coalesce(list_has_any(points.tags, claims.wanted_drives), true)
),

fixed as (
    select * from candidates
    where
        (
            wanted_controllers is null or list_has_any(tags, wanted_controllers)
            or is_counterpart and controller is null
        )
        and (wanted_raid_levels is null or list_has_any(tags, wanted_raid_levels) or is_counterpart)
        and (
            wanted_drive_counts is null or list_has_any(tags, wanted_drive_counts)
            or is_counterpart or is_fact
        )
        and list_bool_and(
            [true] || list_transform(wanted_conditions, lambda wanted: list_has_any(tags, wanted))
        )
),

sided as (
    select
        *,
        list_contains(
            list_transform(tags, lambda tag: string_split(tag, '=')[1]), dimension
        ) as is_of_dimension,
        step between list_min(steps) and list_max(steps) as is_step,
        list_has_any(tags, subject_tags) as has_subject_tag,
        coalesce(list_has_any(tags, object_tags), false) as has_object_tag,
    from fixed
),

decided as (
    select
        *,
        case
            when steps is not null then is_step
            when is_subject_any_other then is_of_dimension and not has_object_tag
            else has_subject_tag
        end as is_subject,
        case
            when steps is not null then is_step
            when knee is not null
                then coalesce(load > cast(regexp_extract(knee, '\d+') as bigint), true)
            when is_object_any_other then is_of_dimension and not has_subject_tag
            else has_object_tag
        end as is_object,
    from sided
)

select
    claim_id,
    'subject' as side,
    * exclude (claim_id, is_of_dimension, is_step, has_subject_tag, has_object_tag),
from decided
where is_subject
union all
select
    claim_id,
    'object' as side,
    * exclude (claim_id, is_of_dimension, is_step, has_subject_tag, has_object_tag),
from decided
where is_object
