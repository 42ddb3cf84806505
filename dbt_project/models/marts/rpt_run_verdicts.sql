-- Whether a run's number can be trusted: one word. A run is trusted if no rule fails and no
-- required rule lacks data; otherwise the first word of the list below that applies.
{% set words = [
    'too short', 'cached', 'not steady', 'host-limited', 'doubtful', 'insufficient data'
] %}
with against as (
    select
        measurement_id,
        reason,
        rule_order,
        if(verdict = 'failed', verdict_word, 'insufficient data') as word,
        list_position({{ words }}, word) as word_order,
    from {{ ref('fct_run_verdicts') }}
    where
        (verdict = 'failed' and verdict_word is not null)
        or (verdict = 'insufficient data' and is_required)
),

runs as (
    select distinct measurement_id
    from {{ ref('fct_run_verdicts') }}
)

select
    runs.measurement_id,
    coalesce(arg_min(against.word, (against.word_order, against.rule_order)), 'trusted')
        as verdict,
    coalesce(
        array_to_string(
            list(against.reason order by against.word_order, against.rule_order)
            filter (where against.reason is not null)[:3],
            '; '
        ), 'passes every rule that applies'
    ) as reason,
    count(against.word) as against_count,
from runs
left join against using (measurement_id)
group by runs.measurement_id
order by runs.measurement_id
