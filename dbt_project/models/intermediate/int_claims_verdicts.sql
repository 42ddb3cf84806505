-- The verdict of a claim over its pairs: each has to hold, or of one case the greatest.
-- Every controller, drive, level and profile that a claim names has to be among them, unless the
-- paper itself has but an example of them. What one printed value says of both sides, a difference
-- of them cannot be confirmed by.
with pairs as (
    select * from {{ ref('int_claims_pairs') }}
    where pair_verdict != 'not alike'
),

judged as (
    select
        *,
        bool_or(is_one_value) over claim as is_partly_one_value,
        count(*) filter (pair_verdict != 'left open') over claim as pair_count,
        flatten(
            list(list_concat(tags, object_tags_met)) filter (pair_verdict != 'left open') over claim
        ) as tags_met,
    from pairs
    window claim as (partition by claim_id)
    qualify
        row_number() over (
            partition by claim_id
            order by
                if(statistic = 'maximum', value, null) desc nulls last,
                if(statistic = 'maximum', object_value, null) desc nulls last,
                case
                    when scope = 'any' then if(relation = 'lower', least_ratio, -least_ratio)
                    else list_position(['contradicted', 'confirmed', 'left open'], pair_verdict)
                end,
                margin_ratio,
                point_id asc,
                object_point_id asc
        ) = 1
),

unmet as (
    select
        *,
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
    from judged
)

select
    claim_id,
    case
        when pair_verdict = 'contradicted' then 'contradicted'
        when is_partly_one_value or pair_verdict = 'left open' or len(unmet_names) > 0
            then 'insufficient data'
        else 'confirmed'
    end as verdict,
    case
        when pair_verdict = 'left open' or is_partly_one_value then 'values too coarse'
        else 'value not printed'
    end as open_reason,
    array_to_string(unmet_names, '; ') as unmet,
    shown_subject_value as subject_value,
    shown_object_value as object_value,
    compared_unit,
    shown_subject_value / shown_object_value as derived_ratio,
    pair_count,
    measurement_id as subject_measurement_id,
    object_measurement_id,
    source || '; ' || object_source as inputs,
    concat_ws(
        ', ',
        case
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
        end,
        method
    ) as judged_by,
from unmet
