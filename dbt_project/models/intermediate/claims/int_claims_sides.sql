-- The values that a claim is about, as its subject or object: they have every trait that the claim
-- names. On a curve a value can be both. For the lowest or highest load only values at that load
-- count; for a maximum the highest value of each side, on the claim's page if it has any; for a
-- limit the best value of an array. A claim uses its own document's values and, unless it is about
-- a limit, which one run need not reach, the own runs of a controller that it names; a general
-- claim also uses other documents.
with sources as (
    select distinct coalesce(document_id, 'no document') as value_source
    from {{ ref('int_claims_points') }}
),

claims as (
    select
        claims.*,
        sources.value_source,
        unnest(list_distinct([claims.subject_kind, claims.object_kind])) as kind,
        (
            select coalesce(list(entailed.trait order by entailed.trait), [])
            from {{ ref('claim_traits') }} as entailed
            where entailed.reason in (claims.compares, claims.statistic)
        ) as entailed_traits,
    from {{ ref('int_claims') }} as claims
    inner join sources
        on
            claims.evidence = 'general'
            or sources.value_source in (claims.document_id, 'no document')
),

candidates as (
    select
        claims.* exclude (kind, value_source),
        points as point,
        {{ names_of('claims.compares') }} as names,
        coalesce(list_has_any(names, claims.subjects), false) as has_subject,
        -- "other levels" are those that the claim does not name
        if(claims.object_kind not in (claims.subject_kind, 'stated'), false, coalesce(
            if(
                claims.limit_of = 'controller', points.limit_of = 'controller',
                list_has_any(names, claims.objects)
            ), false
        )) as has_object,
        list_any_value(names) is not null as is_known,
        if(claims.subject like 'other %', is_known and not has_object, has_subject)
        or claims.subject like 'all %' and is_known as is_meant,
        if(claims.object like 'other %', is_known and not is_meant, has_object) as is_other,
        points.kind != claims.subject_kind and points.kind != 'stated' as is_formula,
        is_formula or is_other and claims.limit_of = 'controller' as is_limit,
        list_has_any(
            list_concat(claims.subjects, claims.objects),
            ['single drive', if(claims.compares = 'drive_count', '1', null)]
        ) as is_of_single_drive,
        -- traits that this kind of value need not have, even if the claim names them
        case
            when is_of_single_drive and points.is_single_drive
                then ['controller', 'raid_level', 'drive_count']
            when is_formula then ['outstanding_io_count']
            when is_limit then ['drive', 'drive_count', 'outstanding_io_count']
            when points.kind = 'gain' and claims.compares != 'drive_count'
                then ['drive', 'drive_media', 'drive_count']
            when claims.metric = 'initialisation_time' then ['drive', 'drive_count']
            else []
        end as waived,
        list_filter(claims.required_names, lambda name: list_contains(list_concat(
            names, {{ names_of("'controller'") }}, {{ names_of("'profile'") }}
        ), name)) as names_met,
        if(
            claims.compares = 'drive_count', claims.subjects, claims.required_traits['drive_count']
        ) as counts,
        points.steps[claims.compares] as step,
        case
            when is_limit then false
            when claims.from_step is null then is_meant
            else claims.relation not like 'limit%' or coalesce(step = claims.last_step, false)
        end as is_subject,
        coalesce(points.page = claims.page, false) as is_of_page,
        coalesce(points.document_id != claims.document_id, points.kind = 'stated')
            as is_elsewhere,
        -- of values with the same `rivals` only those with the greatest size count
        case
            when is_limit then null
            when claims.load in ('lowest', 'highest') then 'all'
            when claims.statistic = 'maximum'
                then cast(row(is_subject, points.traits['drive_count']) as varchar)
            when claims.limit_of is not null
                then cast(row(
                    points.traits['controller'], points.traits['raid_level'],
                    points.traits['profile'], points.traits['drive_count']
                ) as varchar)
        end as rivals,
        case
            when claims.load in ('lowest', 'highest')
                then if(claims.load = 'lowest', -1, 1) * points.steps['outstanding_io_count']
            when claims.statistic = 'maximum' then coalesce(points.value, points.high_value)
            else points.value
        end as size,
        -- a maximum on the claim's page takes precedence over a greater one elsewhere
        if(
            size is null, null,
            row(coalesce(claims.statistic = 'maximum', false) and is_of_page, size)
        ) as size_rank,
    from claims
    inner join {{ ref('int_claims_points') }} as points
        on
            claims.metric = points.metric
            and claims.kind = points.kind
            and claims.value_source = coalesce(points.document_id, 'no document')
    where
        coalesce(claims.statistic, '') != 'other'
        and (
            points.document_id is not null
            or points.kind != 'stated'
            or claims.limit_of is null
            and (claims.relation like 'limit%') is not true
            and list_contains(
                list_concat(claims.controllers, claims.subjects, claims.objects), points.controller
            )
        )
        {% for trait in [
            'profile', 'controller', 'raid_level', 'drive', 'drive_count', 'drive_media', 'base',
            'server', 'access', 'read_share', 'outstanding_io_count'
        ] -%}
            and (
                list_any_value(claims.required_traits['{{ trait }}']) is null
                or list_contains(waived, '{{ trait }}')
                or list_has_any(
                    {{ names_of("'" ~ trait ~ "'") }}, claims.required_traits['{{ trait }}']
                )
            )
        {% endfor %}
        -- skip values of both sides, such as one printed for two controllers
        and (is_limit or claims.from_step is not null or is_meant != is_other)
        and (
            step between least(claims.first_step, claims.last_step)
            and greatest(claims.first_step, claims.last_step)
        ) is not false
        -- a limit that holds for many drives of one model need not hold for as many of another
        and (
            list_contains(waived, 'drive_count')
            or points.several_names['array'] is null
            or list_any_value(claims.required_traits['drive']) is null
            or list_any_value(counts) is null
            or list_has_any(points.several_names['array'], flatten(list_transform(
                claims.required_traits['drive'],
                lambda drive: list_transform(counts, lambda number: drive || ' x ' || number)
            )))
        )
),

-- Grouped: a window would sort these wide rows.
greatest_sizes as (
    select
        claim_id,
        rivals,
        max(size_rank) as size_rank,
    from candidates
    group by claim_id, rivals
),

chosen as (
    select candidates.*
    from candidates
    left join greatest_sizes using (claim_id, rivals)
    where candidates.rivals is null or candidates.size_rank = greatest_sizes.size_rank
)

select
    claim_id,
    point.*,
    step,
    is_of_page,
    is_limit,
    is_elsewhere,
    names_met,
    is_subject,
    is_limit or from_step is not null or is_other as is_object,
    list_concat(
        entailed_traits,
        if(is_of_single_drive, ['controller', 'raid_level', 'drive_count'], [])
    ) as free_traits,
from chosen
