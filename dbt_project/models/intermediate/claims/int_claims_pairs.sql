-- Every two points that a claim compares, with the verdict of their ratio's interval. A pair counts
-- if its points are alike in all that both are known to be but what is compared.
with candidates as (
    select
        claims.*,
        points.*,
        points.kind = 'stated' and points.measurement_id is null as is_fact,
        coalesce(points.point_page = claims.page, false) as is_of_page,
        points.traits[claims.compares] as trait,
        list_concat(claims.subject_tags, claims.object_tags) as side_tags,
        points.is_single and list_has_any(side_tags, ['single drive', '1 drives'])
            as is_counterpart,
        if(
            claims.subject like 'other %',
            trait is not null and not list_has_any(points.tags, claims.object_tags),
            list_has_any(points.tags, claims.subject_tags)
        ) as has_subject_tag,
        if(
            claims.object like 'other %', trait is not null and not has_subject_tag,
            coalesce(list_has_any(points.tags, claims.object_tags), false)
        ) as has_object_tag,
        points.kind != claims.subject_kind
        or has_object_tag and claims.limit_of = 'controller' as is_limit,
        try_cast(regexp_extract(trait, '^[\d.]+') as double) as step,
        try_cast(regexp_extract(points.traits['outstanding_io_count'], '^\d+') as int) as load_step,
        try_cast(claims.from_step as double) as first_step,
        try_cast(claims.to_step as double) as last_step,
        {{ free_traits('claims.compares', 'claims.statistic', 'is_counterpart') }} as free_traits,
    from {{ ref('int_claims') }} as claims
    cross join unnest(list_distinct([claims.subject_kind, claims.object_kind])) as kinds (kind)
    inner join {{ ref('int_claims_points') }} as points
        on claims.metric = points.point_metric and kinds.kind = points.kind
    where
        claims.document_id = coalesce(points.point_document_id, claims.document_id)
        and {{ meets('profiles') }}
        and (is_fact or {{ meets('drives') }})
        and (is_counterpart or {{ meets('raid_levels') }})
        and (is_counterpart and points.traits['controller'] is null or {{ meets('controllers') }})
        and (
            is_counterpart or is_fact or is_limit and points.kind = 'stated'
            or {{ meets('drive_counts') }}
        )
        and (is_limit or list_bool_and(list_transform(
            claims.wanted_conditions, lambda wanted: list_has_any(points.tags, wanted)
        )) is not false)
        and (step between least(first_step, last_step) and greatest(first_step, last_step))
        is not false
),

-- a point of both sides, such as what is said of two controllers alike, is of neither
points as (
    select
        *,
        case
            when is_limit then false
            when relation like 'limit%' and from_step is not null then step = last_step
            else from_step is not null or has_subject_tag
        end as is_subject,
        is_limit or from_step is not null or has_object_tag as is_object,
        struct_pack(is_of_page := is_of_page, rate := coalesce(value, high_value)) as page_value,
    from candidates
    where is_limit or from_step is not null or has_subject_tag != has_object_tag
    qualify
        case
            when is_limit then true
            when load = 'lowest' then load_step = min(load_step) over (partition by claim_id)
            when load = 'highest' then load_step = max(load_step) over (partition by claim_id)
            -- the greatest, of those on the claim's page if there are any
            when statistic = 'maximum'
                then
                    page_value = max(page_value) over (
                        partition by claim_id, is_subject, traits['drive_count']
                    )
            -- of each array its best
            when limit_of is not null
                then value = max(value) over (
                    partition by
                        claim_id, is_limit, traits['controller'], traits['raid_level'],
                        traits['profile'], traits['drive_count']
                )
            else true
        end
)

select
    subjects.*,
    objects.point_id as object_point_id,
    objects.measurement_id as object_measurement_id,
    coalesce(objects.source, 'as printed') as object_source,
    objects.tags as object_tags_met,
    coalesce(subjects.is_of_page and objects.is_of_page, false) as is_all_of_page,
    if(subjects.relation = 'value', subjects.factor, 1) as constant,
    coalesce(objects.low_value, constant) as object_low_value,
    coalesce(objects.high_value, constant) as object_high_value,
    [subjects.point_qualifier, objects.point_qualifier] as qualifiers,
    subjects.is_estimated or coalesce(objects.is_estimated, false) as is_of_estimate,
    coalesce(subjects.printed_in = objects.printed_in, false) as is_one_value,
    list_filter(
        map_keys(subjects.traits),
        -- a processor is named where it is not the document's usual one
        lambda trait: coalesce(subjects.traits[trait] != objects.traits[trait], trait = 'cpu')
        and coalesce(subjects.traits[trait], objects.traits[trait]) is not null
        and not (
            objects.kind = subjects.kind
            and list_contains(subjects.free_traits || objects.free_traits, trait)
        )
    ) as differing_traits,
    if(subjects.relation = 'scales_linearly', subjects.step / objects.step, 1) as steps_ratio,
    subjects.low_value / object_high_value / steps_ratio as least_ratio,
    coalesce(subjects.high_value / nullif(object_low_value, 0), cast('infinity' as double))
    / steps_ratio as greatest_ratio,
    subjects.relation in ('higher', 'lower', 'increases') as is_order,
    case
        when is_of_estimate or len(differing_traits) > 0 or is_one_value and not is_order
            then 'not alike'
        when
            is_order and least_ratio = 1 and greatest_ratio = 1
            and (is_one_value or list_contains(qualifiers, 'approximate'))
            then 'left open'
        -- one range printed of both
        when
            subjects.relation = 'similar' and list_contains(qualifiers, 'range')
            and [subjects.low_value, subjects.high_value] = [object_low_value, object_high_value]
            then 'confirmed'
        when greatest_ratio < subjects.low_ratio or least_ratio > subjects.high_ratio
            then 'contradicted'
        when least_ratio >= subjects.low_ratio and greatest_ratio <= subjects.high_ratio
            then 'confirmed'
        else 'left open'
    end as pair_verdict,
    least(
        least_ratio / nullif(subjects.low_ratio, 0), subjects.high_ratio / nullif(greatest_ratio, 0)
    ) as margin_ratio,
from points as subjects
left join points as objects
    on
        subjects.claim_id = objects.claim_id
        and subjects.point_id != objects.point_id
        and objects.is_object
        and (
            objects.is_limit
            or subjects.point_document_id is not distinct from objects.point_document_id
        )
        and case
            when subjects.from_step is null then true
            -- a plateau: from this step on nothing more
            when subjects.relation like 'limit%'
                then coalesce(subjects.step < objects.step, true)
            when coalesce(subjects.first_step < subjects.last_step, subjects.to_step = 'more')
                then subjects.step > objects.step
            else subjects.step < objects.step
        end
where subjects.is_subject and (objects.point_id is not null or subjects.object_kind = 'claim')
