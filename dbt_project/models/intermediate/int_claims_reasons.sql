-- Why a claim has no verdict, in a word of a closed list and in a sentence. What the paper has for
-- the claim comes first; then what was found of both sides. One row per claim without a verdict.
with found as (
    select
        claim_id,
        count(*) as pair_count,
        count(*) filter (is_of_estimate) as estimate_count,
        mode(differing_traits[1]) as differing_trait,
    from {{ ref('int_claims_pairs') }}
    group by claim_id
),

open_claims as (
    select
        claims.*,
        found.pair_count,
        found.estimate_count,
        found.differing_trait,
        verdicts.open_reason,
        verdicts.unmet,
        replace(claims.metric, '_', ' ') as quantity,
        concat_ws(' and ', claims.subject, claims.object) as compared,
        nullif(concat_ws(
            ', ', claims.controller, claims.raid_level,
            nullif(concat_ws(' x ', claims.drive_count, claims.drive), ''), claims.profile,
            claims.condition
        ), '') as fixed,
    from {{ ref('int_claims') }} as claims
    left join found using (claim_id)
    left join {{ ref('int_claims_verdicts') }} as verdicts using (claim_id)
    where coalesce(verdicts.verdict, 'insufficient data') = 'insufficient data'
),

reasoned as (
    select
        *,
        case
            when evidence = 'opinion' then 'opinion'
            when open_reason is not null then open_reason
            when evidence = 'general' then 'general statement'
            when evidence = 'picture' then 'only in a picture'
            when estimate_count > 0 then 'estimated by the paper'
            when pair_count > 0 then 'other configuration'
            else 'value not printed'
        end as reason,
    from open_claims
)

select
    claim_id,
    reason,
    case reason
        when 'opinion' then 'the paper says what it believes or expects; it measured nothing for it'
        when 'general statement'
            then 'the paper states it in general; no two values of this warehouse show it'
        when 'only in a picture'
            then 'the values of ' || compared || ' stand in a diagram that is not digitised'
        when 'values too coarse'
            then 'the printed values of ' || compared || ' are ranges, bounds or alike'
        when 'estimated by the paper'
            then 'the paper estimates ' || quantity || '; a measured value is needed'
        when 'other configuration'
            then 'values of ' || compared || ' that differ in nothing else; those found differ in '
                || coalesce(replace(differing_trait, '_', ' '), 'more')
        else
            quantity || ' of ' || coalesce(nullif(unmet, ''), compared)
            || coalesce(', at ' || fixed, '')
    end as missing,
from reasoned
