-- The verdict of a claim over its pairs: each has to hold, or of one case the greatest. Every
-- controller, drive, level and profile that a claim names has to be among them, unless the paper
-- itself has but an example of them. What one printed value says of both sides, a difference of
-- them cannot be confirmed by. The pair shown is the one nearest to the contrary, of the claim's
-- own page if there is one.
with judged as (
    select
        *,
        coalesce(scope, '') != 'any' and bool_or(is_one_value) over claim as is_undone,
        scope = 'any' and bool_or(pair_verdict = 'left open') over claim as is_open,
        count(*) filter (pair_verdict != 'left open') over claim as pair_count,
        flatten(
            list(list_concat(tags, object_tags_met)) filter (pair_verdict != 'left open') over claim
        ) as tags_met,
        list_filter(
            string_split(concat_ws(
                '; ', controller, profile, if(subject_tags is null, null, subject),
                if(object_tags is null, null, object)
            ), '; '),
            lambda name: scope is null and coalesce(statistic, '') not in ('maximum', 'gain')
            and name != '' and name not like 'other %' and not list_has_any(
                tags_met,
                [name, document_id || ' ' || name, name || ' drives', name || ' outstanding']
            )
        ) as unmet_names,
    from {{ ref('int_claims_pairs') }}
    where pair_verdict != 'not alike'
    window claim as (partition by claim_id)
    qualify
        row_number() over (
            partition by claim_id
            order by
                if(statistic = 'maximum', is_all_of_page, false) desc,
                if(statistic = 'maximum', high_value, 0) desc,
                if(statistic = 'maximum', object_high_value, 0) desc,
                case
                    when scope = 'any' then if(relation = 'lower', greatest_ratio, -least_ratio)
                end asc,
                list_position(['contradicted', 'confirmed', 'left open'], pair_verdict) asc,
                is_all_of_page desc,
                margin_ratio asc,
                point_id asc,
                object_point_id asc
        ) = 1
)

select
    claim_id,
    case
        when pair_verdict = 'confirmed' and not is_undone and len(unmet_names) = 0 then 'confirmed'
        when pair_verdict = 'contradicted' and is_open is not true then 'contradicted'
        else 'insufficient data'
    end as verdict,
    if(pair_verdict = 'left open' or is_undone, 'values too coarse', 'value not printed')
        as open_reason,
    array_to_string(unmet_names, '; ') as unmet,
    low_value,
    high_value,
    object_low_value,
    object_high_value,
    compared_unit,
    pair_count,
    measurement_id as subject_measurement_id,
    object_measurement_id,
    source || '; ' || object_source as inputs,
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
    end, method) as judged_by,
from judged
