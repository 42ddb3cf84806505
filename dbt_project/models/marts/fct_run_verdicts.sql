-- The verdict of each rule on each of our own runs: its value against the rule's threshold, unless
-- the rule does not apply to the run or headroom.yml mutes it.
with judged as (
    {% for topic in ['trust', 'steadiness', 'host', 'comparisons'] -%}
        select * from {{ ref('int_verdicts__' ~ topic) }}
        {{ 'union all by name' if not loop.last }}
    {% endfor -%}
),

muted as (
    select
        judged.*,
        rules.* exclude (rule),
        conditions.muted_rules ->> judged.rule as muted_reason,
    from judged
    inner join {{ ref('dim_verdict_rules') }} as rules using (rule)
    inner join {{ ref('int_run_conditions') }} as conditions using (measurement_id)
)

select
    measurement_id,
    rule,
    case
        when muted_reason is not null then 'muted'
        when not_applicable_reason is not null then 'not applicable'
        when value is null then 'insufficient data'
        when comparison = 'at least' and value >= threshold then 'passed'
        when comparison = 'at most' and value <= threshold then 'passed'
        else 'failed'
    end as verdict,
    cast(value as double) as value,
    threshold,
    threshold_unit,
    if(threshold_unit = 'yes/no', '', comparison || ' ')
    || {{ quantity_in_unit('threshold', 'threshold_unit') }} as threshold_label,
    case verdict
        when 'muted' then 'muted: ' || muted_reason
        when 'not applicable' then not_applicable_reason
        when 'failed'
            then evidence || if(threshold_unit = 'yes/no', '', ', expected ' || threshold_label)
        else coalesce(evidence, rule || ' not reported')
    end as reason,
    if(verdict = 'not applicable', null, evidence) as evidence,
    verdict_word,
    is_required,
    rule_order,
from muted
order by measurement_id, rule_order
