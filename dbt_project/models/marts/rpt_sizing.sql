-- Predicted and measured arrays in one shape, to be filtered by target. Megabytes and terabytes are
-- decimal, as people type them. A value that takes another processor than the document's usual one
-- names it. A view, because one load profile is read at a time. Refs leave out the database name,
-- which differs in a published copy of the file.
{{ config(materialized='view') }}
with candidates as (
    select
        * exclude (
            drive, saturating_drive_count, tested_number_count, shown_measurement_id
        ),
    from {{ ref('fct_predictions').include(database=false) }}
    union all by name
    select
        'measured' as evidence,
        controller_id,
        controller,
        raid_level,
        drive_id,
        drive_count,
        profile_id,
        iops,
        bytes_per_second,
        latency_mean_us,
        binding_ceiling,
        measurement_id,
        value_qualifier,
        as_printed,
        nullif(concat_ws(
            ', ', source_label,
            if(has_own_processor, regexp_extract(condition, 'CPU [^;]+'), null)
        ), '') as source_label,
    from {{ ref('rpt_measurements').include(database=false) }}
    where
        is_valid
        and not is_derived
        and drive_count is not null
        and coalesce(iops, bytes_per_second) is not null
        and is_superseded is not true
),

binding_limits as (
    select
        limits.controller_id,
        limits.raid_level,
        limits.drive_id,
        limits.drive_count,
        limits.profile_id,
        limits.ceiling_kind as binding_ceiling,
        {{ limit_label('limits', 'points') }} as formula,
    from {{ ref('fct_predicted_limits').include(database=false) }} as limits
    left join {{ ref('rpt_measurements').include(database=false) }} as points
        on limits.source_measurement_id = points.measurement_id
),

sized as (
    select
        candidates.* exclude (controller_id) replace (
            coalesce(candidates.controller, 'not reported') as controller,
            coalesce(candidates.raid_level, 'not reported') as raid_level
        ),
        if(candidates.evidence = 'measured', null, limits.formula) as formula,
        coalesce(drives.drive, 'not reported') as drive,
        coalesce(drives.drive_media, 'not reported') as drive_media,
        concat_ws(', ', candidates.controller, candidates.raid_level, drives.drive)
            as design_label,
        drives.capacity_bytes / 1e12 as drive_terabytes,
        concat_ws(
            ', ', candidates.controller, candidates.raid_level,
            {{ drives_label('candidates.drive_count', 'drives.drive', 'drives.drive_media') }}
        ) as sized_label,
        case
            when candidates.evidence = 'measured' then 'measured'
            when candidates.evidence = 'data sheet' then 'data sheet'
            when candidates.value_qualifier = 'at_most' then 'low'
            when candidates.evidence = 'printed limit' then 'high'
            else 'medium'
        end as confidence,
        profiles.profile_label,
        profiles.headline_metric,
        {% for value, name in [('iops', 'iops'), ('bytes_per_second', 'throughput')] -%}
            {{ mark('candidates.value_qualifier') }}
            || {{ rounded_label('candidates.' ~ value, "'" ~ value ~ "'") }}
                as qualified_{{ name }},
        {% endfor -%}
        candidates.bytes_per_second / 1e6 as megabytes_per_second,
        candidates.fewer_drives_bytes_per_second / 1e6 as fewer_drives_megabytes_per_second,
        levels.tolerated_failure_count,
        {% for fewer, count in [('', 'drive_count'), ('fewer_drives_', 'fewer_drives_count')] -%}
            cast(
                (candidates.{{ count }} / levels.copy_count - levels.parity_drive_count)
                * drives.capacity_bytes / 1e12 as double
            ) as {{ fewer }}usable_terabytes,
        {% endfor -%}
        -- more drives than SAS ports need an expander, whose price and power are not reported
        controllers.controller_id is not null
        and coalesce(
            candidates.drive_count <= controllers.disk_port_count
            or controllers.disk_interfaces not like '%SAS%', true
        ) as fits_ports,
        -- prices in two currencies have no sum
        if(
            fits_ports and controllers.price_currency = drives.price_currency,
            controllers.price + candidates.drive_count * drives.price, null
        ) as price,
        drives.price_currency,
        if(
            fits_ports, controllers.power_watts + candidates.drive_count * drives.power_watts, null
        ) as power_watts,
    from candidates
    left join binding_limits as limits
        using (controller_id, raid_level, drive_id, drive_count, profile_id, binding_ceiling)
    inner join {{ ref('dim_load_profiles').include(database=false) }} as profiles using (profile_id)
    left join {{ ref('dim_drives').include(database=false) }} as drives using (drive_id)
    left join {{ ref('dim_controllers').include(database=false) }} as controllers
        on candidates.controller_id = controllers.controller_id
    left join {{ ref('dim_raid_levels').include(database=false) }} as levels
        on
            coalesce(candidates.raid_level, if(candidates.drive_count = 1, 'JBOD', null))
            = levels.raid_level
)

select
    * exclude (fits_ports, fewer_drives_bytes_per_second)
    replace (if(price is null, null, price_currency) as price_currency),
    if(headline_metric = 'iops', iops, bytes_per_second) as headline_value,
    if(headline_metric = 'iops', low_iops, low_bytes_per_second) as low_headline_value,
    if(headline_metric = 'iops', high_iops, high_bytes_per_second) as high_headline_value,
    {{ mark('value_qualifier') }} || {{ rounded_label('headline_value', 'headline_metric') }}
        as value_label,
    coalesce(
        {{ rounded_label('low_headline_value', 'headline_metric') }} || ' to '
        || {{ rounded_label('high_headline_value', 'headline_metric') }},
        'to ' || {{ rounded_label('high_headline_value', 'headline_metric') }}
    ) as range_label,
    {{ rounded_label('latency_mean_us', "'us'") }} as latency_label,
    {{ short('usable_terabytes') }} || ' TB' as usable_label,
    {{ amount('price', 'price_currency') }} as price_label,
    {{ value_per('price', 'price_currency') }} as value_per_price_label,
    {{ watts_label('power_watts') }} as power_label,
    {{ value_per('power_watts', "'W'") }} as value_per_watt_label,
    {% for value, name in [('iops', 'iops'), ('bytes_per_second', 'throughput')] -%}
        qualified_{{ name }} || coalesce(
            ', low ' || {{ rounded_label('low_' ~ value, "'" ~ value ~ "'") }}, ''
        ) as predicted_{{ name }}_label,
        {{ value }} / price as {{ value }}_per_price_unit,
        {{ value }} / power_watts as {{ value }}_per_watt,
    {% endfor -%}
    {{ short(three_digits('usable_terabytes')) }} || ' TB of ' || drive_count || ' x '
    || {{ short(three_digits('drive_terabytes')) }} || ' TB' as capacity_label,
from sized
