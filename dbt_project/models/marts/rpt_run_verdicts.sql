-- Whether a run's number may be believed: one word, the first of what speaks against it. Trusted is
-- what no rule speaks against, and no required rule lacks data of.
{% set words = [
    'too short', 'cached', 'not steady', 'host-limited', 'doubtful', 'insufficient data'
] %}
with against as (
    select
        *,
        coalesce(
            list_position(
                [{% for word in words %}'{{ word }}'{{ ', ' if not loop.last }}{% endfor %}],
                if(verdict = 'failed', verdict_word, 'insufficient data')
            ), 0
        ) as word_order,
    from {{ ref('fct_run_verdicts') }}
    where
        (verdict = 'failed' and verdict_word is not null)
        or (verdict = 'insufficient data' and is_required)
),

runs as (
    select
        measurement_id,
        count(*) as rule_count,
    from {{ ref('fct_run_verdicts') }}
    group by measurement_id
)

select
    measurement_id,
    coalesce(
        min_by(
            if(against.verdict = 'failed', against.verdict_word, 'insufficient data'),
            (against.word_order, against.rule_order)
        ), 'trusted'
    ) as verdict,
    coalesce(
        array_to_string(list(against.reason order by against.word_order, against.rule_order)[:3], '; '),
        'every rule that applies is met'
    ) as reason,
    count(against.rule) as against_count,
from runs
left join against using (measurement_id)
group by measurement_id
order by measurement_id
