-- Whether a run agrees with its limits, with its repeats and with published values.
with runs as (
    select
        *,
        binding_ceiling in ('host interface', 'disk interface') as is_at_interface,
        coalesce(iops, bytes_per_second) as rate,
    from {{ ref('int_run_conditions') }}
),

series as (
    select
        series_id,
        median(rate) as median_rate,
        count(*) as run_count,
    from runs
    where is_valid and is_superseded is not true and rate is not null
    group by series_id
    having run_count >= 3
),

repeated as (
    select
        runs.measurement_id,
        series.run_count,
        abs(runs.rate / series.median_rate - 1) as difference_ratio,
    from runs
    inner join series using (series_id)
),

-- as in rpt_own_results
published as (
    select distinct on (own.array_id, own.profile_id)
        own.measurement_id,
        own.headline_value / points.headline_value as published_ratio,
        points.array_label,
    from {{ ref('int_array_values') }} as own
    inner join {{ ref('int_array_values') }} as points using (profile_id, controller, raid_level)
    where own.document_id is null and points.document_id is not null
    order by
        own.array_id = points.array_id desc,
        coalesce(own.drive = points.drive, false) desc,
        points.value_qualifier = 'at_most' asc,
        points.headline_value desc,
        points.measurement_id asc
)

select
    measurement_id,
    'interface' as rule,
    -- the practical limit is a mean: SATA SSDs do 93 % of what their link can carry
    if(is_at_interface, attained_ratio * {{ practical_ratio() }}, null) as value,
    if(not is_at_interface, 'another limit is lower', null) as not_applicable_reason,
    {{ percent('value') }} || ' of the ' || binding_ceiling || '''s theoretical limit'
        as evidence,
from runs
union all by name
select
    measurement_id,
    'negotiated link' as rule,
    attained_ratio as value,
    case
        when link_state = 'full' then 'the link runs at its full rate'
        when not is_at_interface then 'another limit is lower'
    end as not_applicable_reason,
    {{ percent('attained_ratio') }} || ' of the limit of a link below its full rate' as evidence,
from runs
where link_state is not null
union all by name
select
    measurement_id,
    'ceiling' as rule,
    attained_ratio as value,
    if(is_at_interface, 'the interface is the lowest limit', null) as not_applicable_reason,
    {{ percent('attained_ratio') }} || ' of the limit (' || binding_ceiling || ')' as evidence,
from runs
union all by name
select
    measurement_id,
    'repeats' as rule,
    difference_ratio as value,
    {{ percent('difference_ratio') }} || ' from the median of ' || run_count || ' runs' as evidence,
from repeated
union all by name
select
    measurement_id,
    'best published' as rule,
    published_ratio as value,
    {{ percent('published_ratio') }} || ' of the best published: ' || array_label as evidence,
from published
