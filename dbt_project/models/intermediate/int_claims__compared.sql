-- The verdict of a claim over its pairs: all have to hold, or the greatest where the claim is of
-- one; and every controller, drive, level or profile that it names has to be among them.
with pairs as (
    select * from {{ ref('int_claims__pairs') }}
    where is_alike and not is_one_printed_value
),

deciding as (
    select
        *,
        count(*) filter (pair_verdict != 'left open') over (partition by claim_id) as pair_count,
    from pairs
    qualify
        row_number() over (
            partition by claim_id
            order by
                if(is_of_maxima, value, null) desc,
                if(is_of_maxima, object_value, null) desc,
                case
                    when is_any_enough
                        then if(relation = 'lower', -least_ratio, least_ratio) * -1
                    else list_position(['contradicted', 'confirmed', 'left open'], pair_verdict)
                end,
                margin_ratio,
                point_id asc,
                object_source asc
        ) = 1
),

met as (
    select
        claim_id,
        flatten(list(subject_point_tags || object_point_tags)) as tags,
    from pairs
    where pair_verdict != 'left open'
    group by claim_id
),

unmet as (
    select
        deciding.*,
        list_filter(
            coalesce(wanted_controllers, []) || coalesce(wanted_profiles, [])
            || if(steps is null and knee is null and not is_of_maxima, subject_tags, [])
            || if(
                steps is null and knee is null and not is_of_maxima,
                coalesce(object_tags, []), []
            ),
            lambda tag: tag not like '%=other %'
            and not coalesce(list_contains(met.tags, tag), false)
        ) as unmet_tags,
    from deciding
    left join met using (claim_id)
)

select
    claim_id,
    case
        when pair_verdict = 'contradicted' then 'contradicted'
        when pair_verdict = 'confirmed' and (is_any_enough or len(unmet_tags) = 0) then 'confirmed'
        else 'not decidable'
    end as verdict,
    case
        when pair_verdict = 'left open'
            then 'values that are printed more closely: ranges, bounds and "about" leave it open'
        else 'two such measurements of: ' || {{ tag_names('unmet_tags') }}
    end as missing,
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
            when is_fact then 'stated facts'
            when is_of_maxima then 'greatest of each side'
            when knee is not null then 'flat curve'
            when steps is not null then 'step by step'
            else 'pairs'
        end,
        method
    ) as judged_by,
from unmet
