-- Claims that a limit is reached or not: nine tenths of the ceiling are the limit, and a
-- controller's own shows where more drives add nothing.
with judged as (
    select
        *,
        coalesce(value >= {{ reached_ratio() }} * ceiling_value, false) as is_at_ceiling,
        case
            when relation = 'limit_not_reached' and is_at_ceiling then 'contradicted'
            when relation = 'limit_not_reached' and ceiling_value is not null then 'confirmed'
            when relation = 'limit_not_reached' then 'left open'
            when is_at_ceiling or is_flat then 'confirmed'
            when compares = 'drive' and ceiling_value is not null then 'contradicted'
            when value < {{ reached_ratio() }} * greatest_value then 'contradicted'
            else 'left open'
        end as point_verdict,
    from {{ ref('int_claims__ceilings') }}
),

deciding as (
    select
        *,
        count(*) over (partition by claim_id) as pair_count,
        flatten(list(tags) filter (point_verdict = 'confirmed') over (partition by claim_id))
            as met_tags,
    from judged
    qualify
        row_number() over (
            partition by claim_id
            order by
                list_position(['contradicted', 'left open', 'confirmed'], point_verdict),
                value / ceiling_value,
                point_id
        ) = 1
),

unmet as (
    select
        *,
        list_filter(
            coalesce(wanted_controllers, []) || coalesce(wanted_profiles, []) || subject_tags,
            lambda tag: not coalesce(list_contains(met_tags, tag), false)
        ) as unmet_tags,
        is_at_ceiling or relation = 'limit_not_reached' or compares = 'drive' as is_by_ceiling,
    from deciding
)

select
    claim_id,
    case
        when point_verdict = 'confirmed' and len(unmet_tags) > 0 then 'not decidable'
        when point_verdict = 'left open' then 'not decidable'
        else point_verdict
    end as verdict,
    case
        when point_verdict = 'left open' and ceiling_value is null
            then 'a ceiling to hold it against, or the same with another number of drives'
        when point_verdict = 'left open'
            then 'the same with another number of drives: no link is at its limit'
        else 'a measurement of: ' || {{ tag_names('unmet_tags') }}
    end as missing,
    value as subject_value,
    if(is_by_ceiling or not is_flat, ceiling_value, greatest_value) as object_value,
    compared_unit,
    subject_value / object_value as derived_ratio,
    pair_count,
    measurement_id as subject_measurement_id,
    if(is_by_ceiling or not is_flat, null, other_measurement_id) as object_measurement_id,
    if(
        is_by_ceiling or not is_flat,
        source || '; ' || formula,
        source || '; ' || other_measurement_id
    ) as inputs,
    if(is_by_ceiling or not is_flat, 'ceiling', 'flat curve') as judged_by,
from unmet
