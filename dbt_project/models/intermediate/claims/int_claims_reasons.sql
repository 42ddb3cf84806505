-- Why a claim has no verdict, in a word of a closed list and in a sentence. What the paper has for
-- the claim comes first; then what was found of both sides. One row per claim without a verdict.
select
    claims.claim_id,
    case
        when claims.evidence = 'opinion' then 'opinion'
        when verdicts.pair_verdict = 'left open' or verdicts.is_undone then 'values too coarse'
        when verdicts.is_decided then 'value not printed'
        when claims.evidence = 'general' then 'general statement'
        when claims.evidence = 'picture' then 'only in a picture'
        when verdicts.has_estimates then 'estimated by the paper'
        when verdicts.differing_trait is not null then 'other configuration'
        when verdicts.claim_id is not null then 'values too coarse'
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
            then 'the printed values of ' || compared || ' differ in ' || verdicts.differing_trait
        else
            'not printed: ' || quantity || ' of ' || coalesce(nullif(verdicts.unmet, ''), compared)
            || coalesce(', at ' || nullif(fixed, ''), '')
    end as missing,
from {{ ref('int_claims') }} as claims
left join {{ ref('int_claims_verdicts') }} as verdicts using (claim_id)
where coalesce(verdicts.verdict, 'insufficient data') = 'insufficient data'
