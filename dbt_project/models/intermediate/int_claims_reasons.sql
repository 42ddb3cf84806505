-- Why a claim has no verdict, in a word of a closed list and in a sentence. What the paper has for
-- the claim comes first; then what was found of both sides. One row per claim without a verdict.
with found as (
    select
        claim_id,
        bool_or(is_of_estimate) as has_estimates,
        mode(differing_traits[1]) as differing_trait,
    from {{ ref('int_claims_pairs') }}
    group by claim_id
),

reasoned as (
    select
        claims.*,
        replace(found.differing_trait, '_', ' ') as differing_trait,
        case
            when claims.evidence = 'opinion' then 'opinion'
            when verdicts.open_reason is not null then verdicts.open_reason
            when claims.evidence = 'general' then 'general statement'
            when claims.evidence = 'picture' then 'only in a picture'
            when found.has_estimates then 'estimated by the paper'
            when found.claim_id is not null then 'other configuration'
            else 'value not printed'
        end as reason,
        replace(claims.metric, '_', ' ') as quantity,
        concat_ws(' and ', claims.subject, claims.object) as compared,
        coalesce(nullif(verdicts.unmet, ''), compared) || coalesce(', at ' || nullif(concat_ws(
            ', ', claims.controller, claims.raid_level, claims.drive_count || ' drives',
            claims.drive, claims.profile, claims.condition
        ), ''), '') as wanted,
    from {{ ref('int_claims') }} as claims
    left join found using (claim_id)
    left join {{ ref('int_claims_verdicts') }} as verdicts using (claim_id)
    where coalesce(verdicts.verdict, 'insufficient data') = 'insufficient data'
)

select
    claim_id,
    reason,
    case reason
        when 'opinion' then 'the paper says what it expects and measures nothing for it'
        when 'general statement' then 'the paper names no configuration; no two values here show it'
        when 'only in a picture' then 'a diagram shows ' || compared || '; it is not digitised'
        when 'values too coarse' then 'closer values of ' || compared || ': ranges, bounds or alike'
        when 'estimated by the paper' then 'a measured ' || quantity || '; the paper estimates it'
        when 'other configuration'
            then compared || ' alike in all else; what is printed differs in ' || differing_trait
        else quantity || ' of ' || wanted
    end as missing,
from reasoned
