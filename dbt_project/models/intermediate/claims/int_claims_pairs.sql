-- Every two values that a claim compares, with the verdict of the interval that their ratio lies
-- in. A pair counts if both are alike in all that is known of both, but for what is compared and
-- what that entails (claim_traits.csv).
with candidates as (
    select
        claims.*,
        points.*,
        coalesce(points.point_page = claims.page, false) as is_of_page,
        points.kind != claims.subject_kind as is_formula,
        points.traits[claims.compares] as trait,
        try_cast(regexp_extract(trait, '^[\d.]+') as double) as step,
        try_cast(claims.from_step as double) as first_step,
        try_cast(claims.to_step as double) as last_step,
        coalesce(list_has_any(points.tags, claims.subject_tags), false) as has_subject_tag,
        coalesce(list_has_any(points.tags, claims.object_tags), false) as has_object_tag,
        -- "other levels" are all that the claim does not name
        if(claims.subject like 'other %', trait is not null and not has_object_tag, has_subject_tag)
            as is_meant,
        if(claims.object like 'other %', trait is not null and not is_meant, has_object_tag)
            as is_other,
        is_formula or is_other and claims.limit_of = 'controller' as is_limit,
        list_contains(points.tags, 'single drive') and list_has_any(
            list_concat(claims.subject_tags, claims.object_tags), ['single drive', '1 drives']
        ) as is_counterpart,
        -- what a value of this sort need not have, though the claim names it
        case
            when is_counterpart
                then list_concat(
                    ['raid_level', 'drive_count'],
                    if(points.traits['controller'] is null, ['controller'], null)
                )
            when is_formula then ['load', 'condition']
            when is_limit then ['drive_count', 'load', 'condition']
            when points.measurement_id is null then ['drive', 'drive_count']
            else []
        end as waived,
    from {{ ref('int_claims') }} as claims
    cross join unnest(list_distinct([claims.subject_kind, claims.object_kind])) as kinds (kind)
    inner join {{ ref('int_claims_points') }} as points
        on
            claims.metric = points.point_metric
            and kinds.kind = points.kind
            and claims.document_id = coalesce(points.point_document_id, claims.document_id)
    where
        list_bool_and(list_transform(
            claims.wanted,
            lambda want: list_contains(waived, want['dimension'])
            or coalesce(list_has_any(points.tags, want['tags']), true)
        )) is not false
        and (step between least(first_step, last_step) and greatest(first_step, last_step))
        is not false
),

-- A point of both sides, such as what is said of two controllers alike, is of neither. With the
-- lowest load that alone counts; of maxima the greatest, on the claim's page if it has any; of an
-- array that meets a limit its best.
sides as (
    select
        *,
        from_step is not null as is_curve,
        case
            when is_limit then false
            when is_curve then relation not like 'limit%' or step = last_step
            else is_meant
        end as is_subject,
        is_limit or is_curve or is_other as is_object,
        (
            select list(entailed.trait) from {{ ref('claim_traits') }} as entailed
            where entailed.reason in (
                candidates.compares, candidates.statistic,
                if(candidates.is_counterpart, 'single drive', null)
            )
        ) as free_traits,
        try_cast(regexp_extract(traits['outstanding_io_count'], '^\d+') as int) as load_step,
        struct_pack(is_of_page := is_of_page, rate := coalesce(value, high_value)) as page_value,
    from candidates
    where is_limit or from_step is not null or is_meant != is_other
    qualify
        case
            when is_limit then true
            when load = 'lowest' then load_step = min(load_step) over (partition by claim_id)
            when load = 'highest' then load_step = max(load_step) over (partition by claim_id)
            when statistic = 'maximum'
                then page_value = max(page_value) over (
                    partition by claim_id, is_subject, traits['drive_count']
                )
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
    subjects.claim_id,
    subjects.point_id,
    objects.point_id as object_point_id,
    subjects.measurement_id,
    objects.measurement_id as object_measurement_id,
    subjects.source || '; ' || coalesce(objects.source, 'as printed') as inputs,
    subjects.compared_unit,
    subjects.method,
    subjects.low_value,
    subjects.high_value,
    if(subjects.relation = 'value', subjects.factor, 1) as claimed_value,
    coalesce(objects.low_value, claimed_value) as object_low_value,
    coalesce(objects.high_value, claimed_value) as object_high_value,
    list_concat(subjects.tags, objects.tags) as tags_met,
    coalesce(subjects.is_of_page and objects.is_of_page, false) as is_all_of_page,
    [subjects.point_qualifier, objects.point_qualifier] as qualifiers,
    subjects.is_estimated or coalesce(objects.is_estimated, false) as is_of_estimate,
    coalesce(subjects.printed_in = objects.printed_in, false) as is_one_value,
    list_filter(
        map_keys(subjects.traits),
        -- a processor is named where it is not the document's usual one
        lambda trait: coalesce(subjects.traits[trait] != objects.traits[trait], trait = 'cpu')
        and coalesce(subjects.traits[trait], objects.traits[trait]) is not null
        and (
            objects.kind = subjects.kind
            and list_contains(list_concat(subjects.free_traits, objects.free_traits), trait)
        ) is not true
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
from sides as subjects
left join sides as objects
    on
        subjects.claim_id = objects.claim_id
        and subjects.point_id != objects.point_id
        and objects.is_object
        and (
            objects.is_limit
            or subjects.point_document_id is not distinct from objects.point_document_id
        )
        and case
            when not subjects.is_curve then true
            -- a plateau: from this step on nothing more
            when subjects.relation like 'limit%'
                then coalesce(subjects.step < objects.step, true)
            when coalesce(subjects.first_step < subjects.last_step, subjects.to_step = 'more')
                then subjects.step > objects.step
            else subjects.step < objects.step
        end
where subjects.is_subject and (objects.point_id is not null or subjects.object_kind = 'claim')
