-- Every two points that a claim compares, with the verdict of their ratio's interval. A pair counts
-- if its points are alike in all that both are known to be but what is compared.
with candidates as (
    select
        claims.*,
        points.* exclude (document_id, metric),
        points.document_id as point_document_id,
        points.kind = 'stated' and points.measurement_id is null as is_fact,
        points.traits[claims.compares] as trait,
        list_concat(claims.subject_tags, claims.object_tags) as side_tags,
        points.is_single and list_has_any(side_tags, ['single drive', '1 drives'])
            as is_counterpart,
        case
            when claims.subject like 'other %'
                then trait is not null and not list_has_any(points.tags, claims.object_tags)
            else list_has_any(points.tags, claims.subject_tags)
        end as has_subject_tag,
        case
            when claims.object like 'other %' then trait is not null and not has_subject_tag
            else coalesce(list_has_any(points.tags, claims.object_tags), false)
        end as has_object_tag,
        points.kind != claims.subject_kind
        or has_object_tag and claims.limit_of = 'controller' as is_limit,
        [
            points.traits['controller'], points.traits['raid_level'], points.traits['profile'],
            cast(points.steps['drive_count'] as varchar)
        ] as array_traits,
        points.steps[claims.compares] as step,
        points.steps['outstanding_io_count'] as load,
        try_cast(claims.from_step as bigint) as first_step,
        try_cast(claims.to_step as bigint) as last_step,
        {{ entailed_traits('claims.compares') }}
        || if(claims.statistic = 'maximum', ['profile', 'block', 'random', 'read', 'load'], [])
        || if(is_counterpart, ['drive_count', 'raid_level', 'controller'], []) as free_traits,
    from {{ ref('int_claims') }} as claims
    inner join {{ ref('int_claims_points') }} as points
        on
            claims.metric = points.metric
            and claims.document_id = coalesce(points.document_id, claims.document_id)
            and points.kind in (claims.subject_kind, claims.object_kind)
    where
        {{ meets('profiles') }}
        and (is_fact or {{ meets('drives') }})
        and (is_counterpart or {{ meets('raid_levels') }})
        and (is_counterpart and points.traits['controller'] is null or {{ meets('controllers') }})
        and (
            is_counterpart or is_fact or is_limit and points.kind = 'stated'
            or {{ meets('drive_counts') }}
        )
        and (
            is_limit or len(list_filter(
                claims.wanted_conditions, lambda wanted: not list_has_any(points.tags, wanted)
            )) = 0
        )
        and coalesce(
            step between least(first_step, last_step) and greatest(first_step, last_step), true
        )
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
    from candidates
    where is_limit or from_step is not null or has_subject_tag != has_object_tag
    qualify
        case
            when is_limit then true
            when claimed_load = 'lowest' then load = min(load) over (partition by claim_id)
            when claimed_load = 'highest' then load = max(load) over (partition by claim_id)
            when statistic = 'maximum'
                then value = max(value) over (partition by claim_id, is_subject, array_traits[4])
            -- of each array its best
            when limit_of is not null
                then value = max(value) over (partition by claim_id, is_limit, array_traits)
            else true
        end
),

paired as (
    select
        subjects.*,
        objects.point_id as object_point_id,
        objects.measurement_id as object_measurement_id,
        coalesce(objects.source, 'as printed') as object_source,
        objects.tags as object_tags_met,
        if(subjects.relation = 'value', subjects.claimed_value, 1) as constant,
        coalesce(objects.value, if(objects.point_id is null, constant, null)) as object_value,
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
    from points as subjects
    left join points as objects
        on
            subjects.claim_id = objects.claim_id
            and subjects.point_id != objects.point_id
            and objects.is_object
            and if(objects.is_limit, null, subjects.point_document_id)
            is not distinct from if(objects.is_limit, null, objects.point_document_id)
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
),

ratios as (
    select
        *,
        case when object_high_value = 'infinity' then 0 else low_value / object_high_value end
        / steps_ratio as least_ratio,
        case
            when object_low_value = 0 or high_value = 'infinity' then cast('infinity' as double)
            else high_value / object_low_value
        end / steps_ratio as greatest_ratio,
        -- two ranges of which one contains the other, none wider than "about" allows
        list_contains(qualifiers, 'range')
        and greatest(high_value / low_value, object_high_value / object_low_value) <= 1.25
        and (
            low_value >= object_low_value and high_value <= object_high_value
            or low_value <= object_low_value and high_value >= object_high_value
        ) as is_one_range,
    from paired
)

select
    *,
    case
        when is_of_estimate or len(differing_traits) > 0 then 'not alike'
        when is_one_value and relation not in ('higher', 'lower', 'increases') then 'not alike'
        when
            relation in ('higher', 'lower', 'increases') and least_ratio = 1 and greatest_ratio = 1
            and (is_one_value or list_contains(qualifiers, 'approximate'))
            then 'left open'
        when relation = 'similar' and is_one_range then 'confirmed'
        when greatest_ratio < low_ratio or least_ratio > high_ratio then 'contradicted'
        when least_ratio >= low_ratio and greatest_ratio <= high_ratio then 'confirmed'
        else 'left open'
    end as pair_verdict,
    least(least_ratio / nullif(low_ratio, 0), high_ratio / nullif(greatest_ratio, 0))
        as margin_ratio,
    -- of an interval the end that is nearer to the contrary
    coalesce(value, if(relation = 'lower', high_value, low_value)) as shown_subject_value,
    coalesce(object_value, if(relation = 'lower', object_low_value, object_high_value))
        as shown_object_value,
from ratios
