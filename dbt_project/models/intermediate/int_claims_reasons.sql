-- Why a claim has no verdict, in a word of a closed list and in a sentence. What the paper has for
-- the claim comes first; then what was found of both sides. One row per claim without a verdict.
with found as (
    select
        claim_id,
        bool_or(is_of_estimate) as has_estimates,
        replace(mode(differing_traits[1]), '_', ' ') as differing_trait,
    from {{ ref('int_claims_pairs') }}
    group by claim_id
)

select
    claims.claim_id,
    case
        when claims.evidence = 'opinion' then 'opinion'
        when verdicts.open_reason is not null then verdicts.open_reason
        when claims.evidence = 'general' then 'general statement'
        when claims.evidence = 'picture' then 'only in a picture'
        when found.has_estimates then 'estimated by the paper'
        when found.differing_trait is not null then 'other configuration'
        when found.claim_id is not null then 'values too coarse'
        else 'value not printed'
    end as reason,
    replace(replace(claims.metric, '_', ' '), 'iops', 'IOPS') as quantity,
    concat_ws(' and ', claims.subject, claims.object) as compared,
    concat_ws(
        ', ', claims.controller, claims.raid_level, claims.drive_count || ' drives', claims.drive,
        claims.profile, claims.condition
    ) as fixed,
    case reason
        when 'opinion' then 'the paper says what it expects and measures nothing for it'
        when 'general statement' then 'the paper names no configuration; no two values here show it'
        when 'only in a picture'
            then 'the ' || quantity || ' of ' || compared || ' appears only in a diagram'
        when 'values too coarse'
            then 'the printed values of ' || compared || ' are ranges, bounds or alike'
        when 'estimated by the paper' then 'the paper estimates the ' || quantity
        when 'other configuration'
            then 'the printed values of ' || compared || ' differ in ' || found.differing_trait
        else
            'not printed: ' || quantity || ' of ' || coalesce(nullif(verdicts.unmet, ''), compared)
            || coalesce(', at ' || nullif(fixed, ''), '')
    end as missing,
from {{ ref('int_claims') }} as claims
left join found using (claim_id)
left join {{ ref('int_claims_verdicts') }} as verdicts using (claim_id)
where coalesce(verdicts.verdict, 'insufficient data') = 'insufficient data'
