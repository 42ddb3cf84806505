-- The verdict on a claim, from its pairs. Every deciding pair must hold; with scope `any` the best
-- one, with `most` more than half. Without a scope each controller, level and profile that the
-- claim names needs a deciding pair; with `example` the paper prints only some. Equal prints leave
-- a claim open, and so do open pairs if it is about all or several loads. The paper's own numbers
-- make it `consistent`, other documents or own runs `confirmed`. The pair shown is the one closest
-- to the opposite verdict, from the claim's own page if there is one.
with paired as (
    select
        claims.*,
        pairs.* exclude (claim_id),
        pair_verdict in ('confirmed', 'contradicted') as is_decided,
    from {{ ref('int_claims') }} as claims
    left join {{ ref('int_claims_pairs') }} as pairs using (claim_id)
),

counted as (
    select
        claim_id,
        count(*) filter (pair_verdict = 'confirmed') as holding_count,
        count(*) filter (pair_verdict = 'contradicted') as failing_count,
        count(*) filter (
            pair_verdict = 'equal'
            or (load = 'all' or len(loads) > 1) and pair_verdict = 'left open'
        ) as undone_count,
        bool_or(is_elsewhere and pair_verdict = 'confirmed') as is_independent,
        bool_or(
            scope = 'any' and pair_verdict in ('left open', 'equal') and is_one_value is not true
        ) as is_open,
        bool_or(is_of_estimate) as has_estimates,
        replace(mode(differing_traits[1] order by differing_traits[1]), '_', ' ')
            as differing_trait,
        flatten(list(names_met) filter (is_decided)) as all_names_met,
    from paired
    group by claim_id
),

judged as (
    select
        *,
        list_filter(required_names, lambda name: not list_contains(all_names_met, name))
            as unmet_names,
    from paired
    inner join counted using (claim_id)
    qualify
        row_number() over (
            partition by claim_id
            order by
                pair_verdict = 'not comparable' asc,
                case
                    when statistic = 'maximum'
                        then row(is_all_of_page, high_value, object_high_value)
                end desc,
                if(scope = 'any', if(relation = 'lower', greatest_ratio, -least_ratio), null) asc,
                list_position(
                    if(
                        scope = 'most' and holding_count > failing_count,
                        ['confirmed', 'contradicted'], ['contradicted', 'confirmed']
                    ), pair_verdict
                ) asc nulls last,
                is_elsewhere desc,
                is_all_of_page desc,
                margin_ratio asc,
                -- the two ends of a printed factor share a point_id
                row(point_id, object_point_id, low_value, object_low_value) asc
        ) = 1
)

select
    claim_id,
    pair_verdict,
    case
        when
            pair_verdict = 'contradicted' and is_open is not true
            and (scope is distinct from 'most' or failing_count > holding_count)
            then 'contradicted'
        when
            pair_verdict = 'confirmed' and (len(unmet_names) > 0) is not true
            and (
                coalesce(scope = 'any', false)
                or scope = 'most' and holding_count > failing_count
                or undone_count = 0
            )
            then if(is_independent, 'confirmed', 'consistent')
        else 'insufficient data'
    end as verdict,
    case
        when verdict != 'insufficient data' then null
        when evidence = 'opinion' then 'opinion'
        when pair_verdict = 'left open' and metric = 'drives_to_saturate' then 'only a bound'
        when pair_verdict in ('left open', 'equal') or undone_count > 0 then 'values too coarse'
        when is_decided then 'value not printed'
        when evidence = 'general' then 'general statement'
        when evidence = 'picture' then 'only in a picture'
        when has_estimates then 'estimated by the paper'
        when differing_trait is not null then 'other configuration'
        when pair_verdict is not null then 'values too coarse'
        else 'value not printed'
    end as reason,
    has_estimates,
    differing_trait,
    array_to_string(unmet_names, '; ') as unmet,
    holding_count,
    holding_count + failing_count as pair_count,
    compared_unit,
    low_value,
    high_value,
    object_low_value,
    object_high_value,
    measurement_id,
    object_measurement_id,
    inputs,
    method,
    case
        when metric = 'drives_to_saturate' then 'drives to saturate'
        when subject_kind = 'derived' then 'arithmetic'
        when subject_kind = 'gain' then 'printed factors'
        when object_kind like 'limit%' then object_kind
        when limit_of is not null then 'limit of the controller'
        when metric = 'initialisation_time' then 'stated facts'
        when statistic = 'maximum' then 'greatest of each side'
        when from_step is not null and relation like 'limit%' then 'plateau'
        when from_step is not null then 'step by step'
        else 'pairs'
    end as judged_by,
from judged
