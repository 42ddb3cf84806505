-- Our own runs of one load on one array by several tools, or engines of a tool, each compared with
-- the baseline: fio before others, then the tool with the most runs. Runs that do not report the
-- array or the whole load are left out.
{%- set settings = {
    'worker': 'workers', 'file': 'file size', 'runtime': 'runtime', 'ramp': 'ramp time',
    'direct': 'direct I/O',
} %}
{%- set of_load = ['server', 'array_id', 'profile_id', 'outstanding_io_count', 'condition'] %}
with runs as (
    select
        measurements.*,
        left(
            md5(cast(row(measurements.{{ of_load | join(', measurements.') }}) as varchar)), 8
        ) as load_id,
        concat_ws(', ', measurements.tool_name, measurements.io_engine) as tool_label,
        cast(measurements.worker_count as varchar) as worker_setting,
        {{ size_label('measurements.file_size_bytes') }} as file_setting,
        {{ short('measurements.requested_runtime_seconds') }} || ' s' as runtime_setting,
        {{ short('conditions.ramp_seconds') }} || ' s' as ramp_setting,
        case conditions.is_direct when true then 'yes' when false then 'no' end as direct_setting,
        coalesce(verdicts.verdict = 'trusted', false) as is_trusted,
    from {{ ref('rpt_measurements') }} as measurements
    left join {{ ref('int_run_conditions') }} as conditions using (measurement_id)
    left join {{ ref('rpt_run_verdicts') }} as verdicts using (measurement_id)
    where
        measurements.is_valid
        and not measurements.is_derived
        and measurements.document_id is null
        and measurements.headline_value > 0
        and measurements.is_superseded is not true
        and coalesce(measurements.controller, measurements.drive) is not null
        and measurements.outstanding_io_count + measurements.block_bytes is not null
        and measurements.random_ratio + measurements.read_ratio is not null
),

tools as (
    select
        load_id,
        {{ of_load | join(', ') }},
        tool_name,
        tool_label,
        any_value(array_label) as array_label,
        any_value(profile_label) as profile_label,
        any_value(headline_metric) as headline_metric,
        count(*) as run_count,
        count(*) filter (where is_trusted) as trusted_run_count,
        median(headline_value) as headline_value,
        min(headline_value) as min_headline_value,
        max(headline_value) as max_headline_value,
        median(latency_mean_us) as latency_mean_us,
        list(headline_value order by measured_at desc, measurement_id asc)[:300] as run_values,
        arg_max(measurement_id, (measured_at is not null, measured_at, measurement_id))
            as measurement_id,
        {% for name in settings -%}
            string_agg(distinct {{ name }}_setting, ' / ' order by {{ name }}_setting)
                as {{ name }}_setting,
        {% endfor -%}
    from runs
    where
        load_id in (
            select loads.load_id
            from runs as loads
            group by loads.load_id
            having count(distinct loads.tool_label) > 1
        )
    group by all
),

baselines as (
    select distinct on (load_id) *
    from tools
    order by load_id asc, tool_name = 'fio' desc, run_count desc, tool_label asc
),

compared as (
    select
        tools.*,
        baselines.tool_label as baseline_label,
        tools.tool_label != baselines.tool_label as is_compared,
        if(is_compared, tools.headline_value / baselines.headline_value, null) as ratio,
        {{ ratio_margin('len(tools.run_values)', 'len(baselines.run_values)') }} as margin,
        if(
            is_compared and margin >= 1,
            {{ all_ratios('tools.run_values', 'baselines.run_values') }}, null
        ) as ratios,
        ratios[margin] as low_ratio,
        ratios[len(ratios) + 1 - margin] as high_ratio,
        low_ratio <= 1 and high_ratio >= 1 as is_within_noise,
        nullif(concat_ws(
            '; ',
            {% for name, label in settings.items() -%}
                if(
                    tools.{{ name }}_setting is distinct from baselines.{{ name }}_setting,
                    '{{ label }} ' || coalesce(tools.{{ name }}_setting, 'not reported')
                    || ' and ' || coalesce(baselines.{{ name }}_setting, 'not reported'), null
                ){% if not loop.last %},{% endif %}
            {% endfor -%}
        ), '') as differences,
    from tools
    inner join baselines using (load_id)
)

select
    load_id,
    left(md5(load_id || tool_label), 8) as tool_id,
    server,
    array_id,
    array_label,
    profile_id,
    outstanding_io_count,
    concat_ws(
        ', ', array_label, profile_label,
        {{ counted('outstanding_io_count', 'outstanding I/O') }}, condition
    ) as load_label,
    tool_label,
    headline_metric,
    headline_value,
    min_headline_value,
    max_headline_value,
    latency_mean_us,
    run_count,
    trusted_run_count,
    {{ rounded_label('headline_value', 'headline_metric') }} as value_label,
    if(run_count > 1, {{ rounded_label('min_headline_value', 'headline_metric') }}, null) || ' to '
    || {{ rounded_label('max_headline_value', 'headline_metric') }} as range_label,
    {{ rounded_label('latency_mean_us', "'us'") }} as latency_label,
    baseline_label,
    ratio,
    low_ratio,
    high_ratio,
    is_within_noise,
    case
        when not is_compared then 'baseline'
        when is_within_noise then '≈ ' || {{ times_label('ratio') }} || ', within noise'
        else {{ times_label('ratio') }}
    end as factor_label,
    case
        when ratios is not null
            then {{ short(three_digits('low_ratio')) }} || ' to ' || {{ times_label('high_ratio') }}
        when is_compared then 'too few runs for an interval'
    end as interval_label,
    differences,
    measurement_id,
from compared
