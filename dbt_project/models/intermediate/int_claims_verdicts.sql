-- The verdict of a claim over its pairs: each has to hold, or where one case is enough the greatest.
-- Every controller, drive, level and profile that a claim names has to be among them, unless the
-- paper itself has but an example of them. What one printed value says of both sides, a difference
-- of them cannot be confirmed by.
with pairs as (
    select * from {{ ref('int_claims_pairs') }}
    where pair_verdict != 'not alike'
),

met as (
    select
        claim_id,
        count(*) as pair_count,
        flatten(list(tags || coalesce(object_tags_met, []))) as tags_met,
    from pairs
    where pair_verdict != 'left open'
    group by claim_id
),

deciding as (
    select
        *,
        bool_or(is_one_value) over (partition by claim_id) as is_partly_one_value,
    from pairs
    qualify
        row_number() over (
            partition by claim_id
            order by
                if(statistic = 'maximum', value, null) desc nulls last,
                if(statistic = 'maximum', object_value, null) desc nulls last,
                case
                    when coalesce(scope = 'any', false)
                        then if(relation = 'lower', least_ratio, -least_ratio)
                    else list_position(['contradicted', 'confirmed', 'left open'], pair_verdict)
                end,
                margin_ratio,
                point_id asc,
                object_point_id asc
        ) = 1
),

unmet as (
    select
        deciding.*,
        coalesce(met.pair_count, 0) as pair_count,
        list_filter(
            string_split(
                if(
                    scope is not null or statistic in ('maximum', 'gain'), '', concat_ws(
                        '; ', controller, profile, if(subject_tags is not null and subject not like 'other %', subject, null),
                        if(object_tags is not null and object not like 'other %', object, null)
                    )
                ), '; '
            ),
            lambda name: not list_has_any(
                tags_met || [''],
                [name, document_id || ' ' || name, name || ' drives', name || ' outstanding']
            )
        ) as unmet_names,
    from deciding
    left join met using (claim_id)
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
