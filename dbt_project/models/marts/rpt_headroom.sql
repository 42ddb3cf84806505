{#- Qualifier of the rest of a share: at_most beside a lower bound, at_least beside an upper. -#}
{%- set rest_qualifier -%}
    case
        when best.ceiling_scope = 'some limits unknown' or best.value_qualifier = 'at_least'
            then 'at_most'
        when best.value_qualifier = 'at_most' then 'at_least'
        else best.value_qualifier
    end
{%- endset -%}

-- The limit of an array at a profile, the best value reached, and the next limit. Limits are
-- practical ones; of equal ones the same binds as in fct_ceilings. The best value has the highest
-- share of the ceiling, of equal ones it is an exact one.
with best as (
    select
        array_id,
        array_label,
        coalesce(vendor, 'not reported') as vendor,
        coalesce(controller, 'not reported') as controller,
        profile_id,
        profile_label,
        profile_short_label,
        measurement_id as best_measurement_id,
        bytes_per_second as attained_bytes_per_second,
        iops as attained_iops,
        attained_ratio,
        {{ mark('value_qualifier') }} || {{ rounded_label('headline_value', 'headline_metric') }}
            as attained_value_label,
        headline_metric,
        ceiling_scope,
        attained_label,
        unknown_limits,
        if(ceiling_scope = 'all limits known', attained_ratio, null) as comparable_attained_ratio,
        value_qualifier,
        {{ has_share('ceiling_scope', 'value_qualifier') }} as has_share,
    from {{ ref('rpt_measurements') }}
    where is_valid and not is_derived and attained_ratio is not null and is_superseded is not true
    -- a value that its source calls the limit counts only where there is no other
    qualify
        row_number() over (
            partition by array_id, profile_id
            order by
                ceiling_scope = 'value is the limit' asc, has_share desc,
                attained_ratio desc, value_qualifier = 'exact' desc, measurement_id asc
        ) = 1
)

select
    best.* exclude (has_share, value_qualifier),
    ceilings.binding_ceiling,
    ceilings.bytes_per_second as ceiling_bytes_per_second,
    limits.iops as ceiling_iops,
    {{ rounded_label(
        "if(headline_metric = 'iops', ceiling_iops, ceiling_bytes_per_second)", 'headline_metric'
    ) }} as ceiling_value_label,
    next_limits.bytes_per_second as next_ceiling_bytes_per_second,
    next_limits.ceiling_kind as next_binding_ceiling,
    next_ceiling_bytes_per_second / ceilings.bytes_per_second as upgrade_ratio,
    -- an unknown limit may bind before the next one
    if(ceilings.unknown_limits is null, '', '≤ ') || {{ times_label('upgrade_ratio') }}
        as upgrade_label,
    {{ rounded_label(
        "if(headline_metric = 'iops', next_limits.iops, next_ceiling_bytes_per_second)",
        'headline_metric'
    ) }}
    || ' (' || upgrade_label || ' this ceiling), limited by ' || next_binding_ceiling
        as next_limit_label,
    -- for a value that is the limit itself, only its share of the next limit says anything
    if(best.ceiling_scope = 'value is the limit', 1 / upgrade_ratio, null) as next_attained_ratio,
    {{ percent('next_attained_ratio') }} || ' of the ' || next_binding_ceiling
        as next_attained_label,
    ceilings.missing_reasons as missing_limits,
    -- if the share is a lower bound, the rest is an upper bound
    case
        when best.has_share
            then
                {{ mark(rest_qualifier) }}
                || {{ percent('greatest(0, 1 - best.attained_ratio)') }}
        when best.ceiling_scope = 'value is the limit' then 'none: the value is the limit'
    end as room_label,
from best
inner join {{ ref('int_ceilings') }} as ceilings using (array_id, profile_id)
inner join {{ ref('int_limits') }} as limits using (array_id, profile_id, basis)
left join {{ ref('int_limits') }} as next_limits
    on
        best.array_id = next_limits.array_id
        and best.profile_id = next_limits.profile_id
        and ceilings.basis = next_limits.basis
        and next_limits.limit_order = 2
        and next_limits.bytes_per_second is not null
where
    ceilings.basis = 'practical'
    and ceilings.bytes_per_second is not null
    and limits.limit_order = 1
