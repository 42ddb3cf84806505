-- The values that a claim means, each as its subject or as what that is held against: they have all
-- that the claim names. On a curve every value is both. With the lowest load that alone counts; of
-- maxima the greatest, on the claim's page if it has any; of an array that meets a limit its best.
with candidates as (
    select
        claims.*,
        points as point,
        points.traits[claims.compares] as trait,
        coalesce(list_has_any(points.tags, claims.subject_tags), false) as has_subject_tag,
        coalesce(list_has_any(points.tags, claims.object_tags), false) as has_object_tag,
        -- "other levels" are all that the claim does not name
        if(claims.subject like 'other %', trait is not null and not has_object_tag, has_subject_tag)
            as is_meant,
        if(claims.object like 'other %', trait is not null and not is_meant, has_object_tag)
            as is_other,
        points.kind != claims.subject_kind as is_formula,
        is_formula or is_other and claims.limit_of = 'controller' as is_limit,
        list_contains(points.tags, 'single drive') and list_has_any(
            list_concat(claims.subject_tags, claims.object_tags), ['single drive', '1 drives']
        ) as is_counterpart,
        -- what a value of this sort need not have, though the claim names it
        case
            when is_counterpart then ['controller', 'raid_level', 'drive_count']
            when is_formula then ['load', 'condition']
            when is_limit then ['drive_count', 'load', 'condition']
            when points.measurement_id is null then ['drive', 'drive_count']
            else []
        end as waived,
        try_cast(regexp_extract(trait, '^[\d.]+') as double) as step,
        try_cast(regexp_extract(points.traits['outstanding_io_count'], '^\d+') as int) as load_step,
        coalesce(points.page = claims.page, false) as is_of_page,
        row(is_of_page, coalesce(points.value, points.high_value)) as page_value,
    from {{ ref('int_claims') }} as claims
    cross join unnest(list_distinct([claims.subject_kind, claims.object_kind])) as kinds (kind)
    inner join {{ ref('int_claims_points') }} as points
        on
            claims.metric = points.metric
            and kinds.kind = points.kind
            and claims.document_id = coalesce(points.document_id, claims.document_id)
    where
        list_bool_and(list_transform(
            claims.wanted,
            lambda want: list_contains(waived, want['dimension'])
            or list_has_any(points.tags, want['tags'])
        )) is not false
)

select
    claim_id,
    point.*,
    step,
    is_of_page,
    is_limit,
    case
        when is_limit then false
        when from_step is null then is_meant
        else relation not like 'limit%' or coalesce(step = last_step, false)
    end as is_subject,
    is_limit or from_step is not null or is_other as is_object,
    list_concat(
        (
            select list(entailed.trait order by entailed.trait)
            from {{ ref('claim_traits') }} as entailed
            where entailed.reason in (candidates.compares, candidates.statistic)
        ),
        if(is_counterpart, waived, null)
    ) as free_traits,
from candidates
where
    -- a value of both sides, such as what is said of two controllers alike, is of neither
    (is_limit or from_step is not null or is_meant != is_other)
    and (step between least(first_step, last_step) and greatest(first_step, last_step)) is not false
qualify
    case
        when is_limit then true
        when load = 'lowest' then load_step = min(load_step) over (partition by claim_id)
        when load = 'highest' then load_step = max(load_step) over (partition by claim_id)
        when statistic = 'maximum'
            then page_value = max(page_value) over (
                partition by claim_id, is_subject, point.traits['drive_count']
            )
        when limit_of is not null
            then point.value = max(point.value) over (
                partition by
                    claim_id, is_limit, point.traits['controller'], point.traits['raid_level'],
                    point.traits['profile'], point.traits['drive_count']
            )
        else true
    end
