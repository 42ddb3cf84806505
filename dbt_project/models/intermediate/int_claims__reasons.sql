-- What is missing for a verdict, told from what was found. Points are counted without regard to
-- what of the claim cannot be read.
with sides as (
    select
        claim_id,
        count(*) filter (side = 'subject' and not is_derived) as subject_count,
        count(*) filter (side = 'object' and not is_derived) as object_count,
        count(*) filter (side = 'subject' and is_derived) as derived_subject_count,
        count(*) filter (side = 'object' and is_derived) as derived_object_count,
    from {{ ref('int_claims__sides') }}
    group by claim_id
),

pairs as (
    select
        claim_id,
        count(*) as pair_count,
        count(*) filter (is_one_printed_value) as one_value_count,
    from {{ ref('int_claims__pairs') }}
    group by claim_id
),

explained as (
    select
        claims.*,
        {{ quantity_name('claims.metric') }} as quantity,
        replace(claims.compares, '_', ' ') as compared,
        concat_ws(
            ', ',
            controllers,
            raid_levels,
            nullif(concat_ws(' x ', drive_counts, drives), ''),
            profile_names,
            if(unread is null, condition, null)
        ) as fixed,
        claims.object is not null and claims.relation not like 'limit_%' as has_object,
        coalesce(sides.subject_count, 0) as subject_count,
        coalesce(sides.object_count, 0) as object_count,
        coalesce(sides.derived_subject_count, 0) as derived_subject_count,
        coalesce(sides.derived_object_count, 0) as derived_object_count,
        pairs.one_value_count,
    from {{ ref('int_claims__wanted') }} as claims
    left join sides using (claim_id)
    left join pairs using (claim_id)
)

select
    claim_id,
    case
        when metric = 'consistency' then 'a measure of consistency, which no document prints'
        when is_general then 'a configuration that it names: it is a general statement'
        when subject_count = 0 and derived_subject_count > 0
            then
                quantity || ' that is measured, and not computed by the paper, of ' || compared
                || ': ' || subject
        when subject_count = 0
            then
                quantity
                || concat_ws(
                    ', at ',
                    ' of ' || compared || ': ' || coalesce(knee, subject),
                    nullif(fixed, '')
                )
        when has_object and object_count = 0 and derived_object_count > 0
            then
                quantity || ' that is measured, and not computed by the paper, of ' || compared
                || ': ' || object
        when has_object and object_count = 0
            then
                quantity
                || concat_ws(', at ', ' of ' || compared || ': ' || object, nullif(fixed, ''))
        when unread is not null then 'a measurement that says of itself: ' || unread
        when one_value_count > 0 then 'a value of its own for each side: one is printed of both'
        else 'two measurements that differ in nothing but the ' || compared
    end as missing,
from explained
