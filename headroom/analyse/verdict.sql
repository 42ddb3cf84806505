{#- Verdicts on the results in `temp.asked`, a row each; with `rules`, a row for each rule. -#}
with runs as (
    select
        verdicts.measurement_id,
        verdicts.verdict,
        concat_ws(', ', results.source_path, results.source_position) as run,
        {{ quantity_label('results.headline_value', 'results.headline_metric') }} as value_label,
        verdicts.reason,
        verdicts.against_count,
        results.source_path,
        results.source_position,
        results.profile_label,
        results.outstanding_io_count,
        results.headline_metric,
        results.headline_value,
        results.measured_at,
    from rpt_run_verdicts as verdicts
    inner join rpt_measurements as results using (measurement_id)
    where measurement_id in (from asked)
)

{% if rules -%}
select
    runs.run,
    runs.verdict as run_verdict,
    runs.value_label as run_value_label,
    said.rule,
    said.verdict,
    said.value,
    {{ quantity_in_unit('said.value', 'said.threshold_unit') }} as value_label,
    said.threshold,
    said.threshold_unit,
    said.threshold_label,
    said.reason,
    said.is_required,
    rules.rule_label,
    rules.rule_source,
    measurement_id,
from runs
inner join fct_run_verdicts as said using (measurement_id)
inner join dim_verdict_rules as rules using (rule)
order by source_path, source_position, measurement_id, said.rule_order
{%- else -%}
select *
from runs
order by source_path, source_position, measurement_id
{%- endif %}
