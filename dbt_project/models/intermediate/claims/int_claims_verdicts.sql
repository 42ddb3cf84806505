-- The verdict of a claim over its pairs: each has to hold, or of one case the greatest. Every
-- controller, drive, level and profile that a claim names has to be among them, unless the paper
-- itself has but an example of them. One printed value of both sides confirms no difference. The
-- pair shown is the one nearest to the contrary, of the claim's own page if there is one. Where
-- data is insufficient the reason is what the paper has for it, or what was found of both sides.
with judged as (
    select
        claims.*,
        pairs.* exclude (claim_id),
        pair_verdict in ('confirmed', 'contradicted') as is_decided,
        coalesce(scope, '') != 'any'
        and bool_or(is_one_value and pair_verdict != 'not alike') over claim as is_undone,
        scope = 'any' and bool_or(pair_verdict = 'left open') over claim as is_open,
        bool_or(is_of_estimate) over claim as has_estimates,
        differing_traits[1] as trait,
        replace(mode(trait order by trait) over claim, '_', ' ') as differing_trait,
        count(*) filter (is_decided) over claim as pair_count,
        flatten(list(tags_met) filter (is_decided) over claim) as all_tags_met,
        list_filter(
            string_split(concat_ws(
                '; ', controller, profile, if(subject_tags is null, null, subject),
                if(object_tags is null, null, object)
            ), '; '),
            lambda name: scope is null and coalesce(statistic, '') not in ('maximum', 'gain')
            and name != '' and name not like 'other %' and not list_has_any(
                all_tags_met,
                [name, document_id || ' ' || name, name || ' drives', name || ' outstanding']
            )
        ) as unmet_names,
    from {{ ref('int_claims') }} as claims
    left join {{ ref('int_claims_pairs') }} as pairs using (claim_id)
    window claim as (partition by claim_id)
    qualify
        row_number() over (
            partition by claim_id
            order by
                pair_verdict = 'not alike' asc,
                case
                    when statistic = 'maximum'
                        then row(is_all_of_page, high_value, object_high_value)
                end desc,
                if(scope = 'any', if(relation = 'lower', greatest_ratio, -least_ratio), null) asc,
                list_position(['contradicted', 'confirmed', 'left open'], pair_verdict) asc,
                is_all_of_page desc,
                margin_ratio asc,
                row(point_id, object_point_id) asc
        ) = 1
)

select
    claim_id,
    pair_verdict,
    case
        when pair_verdict = 'confirmed' and not is_undone and len(unmet_names) = 0 then 'confirmed'
        when pair_verdict = 'contradicted' and is_open is not true then 'contradicted'
        else 'insufficient data'
    end as verdict,
    case
        when verdict != 'insufficient data' then null
        when evidence = 'opinion' then 'opinion'
        when pair_verdict = 'left open' and metric = 'drives_to_saturate' then 'only a bound'
        when pair_verdict = 'left open' or is_undone then 'values too coarse'
        when is_decided then 'value not printed'
        when evidence = 'general' then 'general statement'
        when evidence = 'picture' then 'only in a picture'
        when has_estimates then 'estimated by the paper'
        when differing_trait is not null then 'other configuration'
        when pair_verdict is not null then 'values too coarse'
        else 'value not printed'
    end as reason,
    is_undone,
    has_estimates,
    differing_trait,
    array_to_string(unmet_names, '; ') as unmet,
    pair_count,
    compared_unit,
    low_value,
    high_value,
    object_low_value,
    object_high_value,
    measurement_id,
    object_measurement_id,
    inputs,
    concat_ws(', ', case
        when metric = 'drives_to_saturate' then 'drives to saturate'
        when subject_kind = 'derived' then 'arithmetic'
        when subject_kind = 'gain' then 'printed factors'
        when object_kind like 'limit%' then object_kind
        when limit_of is not null then 'limit of the controller'
        when measurement_id is null then 'stated facts'
        when statistic = 'maximum' then 'greatest of each side'
        when from_step is not null and relation like 'limit%' then 'plateau'
        when from_step is not null then 'step by step'
        else 'pairs'
    end, method, if(scope = 'example', 'the paper''s example', null)) as judged_by,
from judged
