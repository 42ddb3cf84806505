-- An array that could be built, line by line: its limits, the prediction that follows, price and
-- power. A view, because one array is read at a time. Refs leave out the database name, which
-- differs in a published copy of the file.
{{ config(materialized='view') }}
{%- set limit_value -%}
    if(designs.headline_metric = 'iops', limits.iops, limits.bytes_per_second)
{%- endset -%}
{%- set array = [
    'controller', 'raid_level', 'drive', 'drive_count', 'profile_id', 'profile_label'
] %}
with designs as (
    select
        sizes.*,
        predictions.controller_id,
        predictions.saturating_drive_count,
        predictions.shown_measurement_id,
        controllers.price as controller_price,
        controllers.price_currency as controller_currency,
        concat_ws(', ', controllers.price_by, controllers.price_date) as controller_price_by,
        controllers.power_watts as controller_watts,
        controllers.rated_by as controller_rated_by,
        drives.price as drive_price,
        drives.price_currency as drive_currency,
        concat_ws(', ', drives.price_by, drives.price_date) as drive_price_by,
        drives.power_watts as drive_watts,
        drives.rated_by as drive_rated_by,
    from {{ ref('rpt_sizing').include(database=false) }} as sizes
    inner join {{ ref('fct_predictions').include(database=false) }} as predictions
        using (controller, raid_level, drive_id, drive_count, profile_id)
    inner join {{ ref('dim_controllers').include(database=false) }} as controllers
        on predictions.controller_id = controllers.controller_id
    inner join {{ ref('dim_drives').include(database=false) }} as drives
        on sizes.drive_id = drives.drive_id
    where sizes.evidence != 'measured'
)

select
    {% for column in array %}designs.{{ column }},
    {% endfor -%}
    cast(1 as bigint) as line_order,
    limits.ceiling_kind as kind,
    coalesce(limits.ceiling_kind = designs.binding_ceiling, false) as is_binding,
    {{ limit_value }} as headline_value,
    {{ mark("if(limits.derivation = 'rated', 'at_most', points.value_qualifier)") }}
    || {{ rounded_label(limit_value, 'designs.headline_metric') }} as value_label,
    coalesce(
        limits.missing_reason,
        {{ limit_label('limits', 'points', "coalesce(designs.drive_rated_by, 'data sheet')") }}
    ) as reason,
    limits.iops,
    limits.bytes_per_second,
from designs
inner join {{ ref('fct_predicted_limits').include(database=false) }} as limits
    using (controller_id, raid_level, drive_id, drive_count, profile_id)
left join {{ ref('rpt_measurements').include(database=false) }} as points
    on limits.ceiling_kind = 'controller' and limits.source_measurement_id = points.measurement_id
union all by name
select
    {% for column in array %}designs.{{ column }},
    {% endfor -%}
    2 as line_order,
    'prediction' as kind,
    false as is_binding,
    designs.headline_value,
    designs.value_label,
    concat_ws(
        '; ',
        concat_ws(
            ', ',
            'low ' || coalesce(
                {{ rounded_label('designs.low_headline_value', 'designs.headline_metric') }}
                || ' (' || shown.as_printed || ', ' || shown.source_label || ')',
                {{ rounded_label('designs.low_headline_value', 'designs.headline_metric') }},
                'not known'
            ),
            'high '
            || {{ rounded_label('designs.high_headline_value', 'designs.headline_metric') }}
        ),
        designs.evidence,
        if(designs.needs_expander, 'needs an expander', null),
        case
            when designs.evidence = 'data sheet' then 'no single drive was measured'
            when designs.saturating_drive_count is null then 'drives are the limit at any number'
            else 'saturated by ' || designs.saturating_drive_count || ' drives'
        end
    ) as reason,
    designs.iops,
    designs.bytes_per_second,
    designs.low_headline_value,
    designs.high_headline_value,
    designs.evidence,
    designs.price,
    designs.price_currency,
    designs.power_watts,
    designs.iops_per_price_unit,
    designs.bytes_per_second_per_price_unit,
    designs.iops_per_watt,
    designs.bytes_per_second_per_watt,
from designs
left join {{ ref('rpt_measurements').include(database=false) }} as shown
    on designs.shown_measurement_id = shown.measurement_id
union all by name
select
    {% for column in array %}{{ column }},
    {% endfor -%}
    3 as line_order,
    'price' as kind,
    false as is_binding,
    coalesce(price_label, 'not reported') as value_label,
    case
        when price is not null
            then
                value_per_price_label || '; controller '
                || {{ amount('controller_price', 'controller_currency') }} || ' ('
                || controller_price_by || '), ' || drive_count || ' x '
                || {{ amount('drive_price', 'drive_currency') }} || ' (' || drive_price_by || ')'
        when needs_expander then 'an expander is needed, whose price is not known'
        when controller_price is null then 'the controller has no price'
        when drive_price is null then 'the drive has no price'
        else 'the controller costs ' || controller_currency || ', the drive ' || drive_currency
    end as reason,
from designs
where coalesce(controller_price, drive_price) is not null
union all by name
select
    {% for column in array %}{{ column }},
    {% endfor -%}
    4 as line_order,
    'power' as kind,
    false as is_binding,
    coalesce(power_label, 'not reported') as value_label,
    case
        when power_watts is not null
            then
                value_per_watt_label || '; controller '
                || {{ watts_label('controller_watts') }} || ' (' || controller_rated_by || '), '
                || drive_count || ' x ' || {{ watts_label('drive_watts') }} || ' ('
                || drive_rated_by || ')'
        when needs_expander then 'an expander is needed, whose power is not known'
        when controller_watts is null then 'the power of the controller is not known'
        else 'the power of the drive is not known'
    end as reason,
from designs
where coalesce(controller_watts, drive_watts) is not null
