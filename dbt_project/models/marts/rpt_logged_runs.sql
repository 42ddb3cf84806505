-- Our own runs with a log of their rates: the level before and after the change of level, if it is
-- beyond the noise. Without a change the whole log counts as before. The end of the log, where
-- processes have ended, belongs to neither.
with intervals as (
    select
        rates.*,
        changes.change_seconds,
        changes.change_written_bytes,
        changes.change_ratio,
        if(
            rates.is_of_whole_load,
            coalesce(rates.elapsed_seconds > changes.change_seconds, false), null
        ) as is_after,
    from {{ ref('fct_run_rates') }} as rates
    left join {{ ref('int_run_level_changes') }} as changes
        on rates.measurement_id = changes.measurement_id and changes.is_lasting
),

levels as (
    select
        measurement_id,
        count(*) as interval_count,
        max(elapsed_seconds) as logged_seconds,
        max(written_bytes) as written_bytes,
        max(change_seconds) as change_seconds,
        max(change_written_bytes) as change_written_bytes,
        max(change_ratio) as change_ratio,
        {% for part, condition in [('before', 'not is_after'), ('after', 'is_after')] -%}
            {% for rate in ['iops', 'bytes_per_second'] -%}
                {{ ordered_sum(rate, condition) }}
                / count({{ rate }}) filter (where {{ condition }}) as {{ part }}_{{ rate }},
            {% endfor -%}
        {% endfor -%}
    from intervals
    group by measurement_id
)

select
    levels.*,
    {% for part in ['before', 'after'] -%}
        nullif(
            concat_ws(
                ', ', {{ rounded_label('levels.' ~ part ~ '_iops', "'iops'") }},
                {{ rounded_label('levels.' ~ part ~ '_bytes_per_second', "'bytes_per_second'") }}
            ), ''
        ) as {{ part }}_label,
    {% endfor -%}
    points.array_label,
    points.profile_id,
    points.profile_label,
    concat_ws(
        ', ', points.array_label, points.profile_label,
        {{ counted('points.outstanding_io_count', 'outstanding I/O') }},
        strftime(points.measured_at, '%Y-%m-%d %H:%M'), points.measurement_id
    ) as run_label,
    points.measured_at,
    verdicts.verdict as run_verdict,
    coalesce(
        if(rules.verdict = 'failed', rules.evidence, rules.reason), 'its log is too short'
    ) as change_reason,
from levels
inner join {{ ref('rpt_measurements') }} as points using (measurement_id)
inner join {{ ref('rpt_run_verdicts') }} as verdicts using (measurement_id)
left join {{ ref('fct_run_verdicts') }} as rules
    on levels.measurement_id = rules.measurement_id and rules.rule = 'level change'
where points.is_superseded is not true
order by levels.measurement_id
