{#- The prediction for an array that was not measured, or whose measurement is left out: the lowest
    practical limit that can be derived, and the evidence for it. It is only an upper bound if the
    controller's own limit is unknown and it was not shown to do as much, or if the drives' limit is
    unknown, from a data sheet, or the bound for fewer drives than are printed to saturate the
    controller. A controller was shown to do what it or its twin reached at that RAID level or at
    one that costs it more.

    A chart's axis ends above each bar: an upper bound for the arrays in the chart, for fewer
    drives, and for RAID levels that do as much or more work. -#}
{% macro predictions(arrays, ceilings, key) -%}
with charts as (
    select
        {{ slug('each_controller') }} as controller_id,
        levels.raid_level,
        {{ slug('drive') }} as drive_id,
        try_cast(drive_count as bigint) as drive_count,
        profiles.profile_id,
        min(axis_maximum_iops) as iops,
        min(axis_maximum_bytes_per_second) as bytes_per_second,
    from {{ ref('stg_white_papers__figures') }} as figures
    cross join {{ each_of('figures.controller') }} as controllers (each_controller)
    cross join {{ each_of('figures.raid_level') }} as charted (each_level)
    cross join {{ each_of('figures.profile') }} as names (profile_name)
    inner join {{ ref('int_white_papers__profiles') }} as profiles
        on
            figures.document_id = profiles.document_id
            and names.profile_name = profiles.profile_name
    inner join {{ ref('dim_raid_levels') }} as less on charted.each_level = less.raid_level
    inner join {{ ref('dim_raid_levels') }} as levels
        on
            less.copy_count <= levels.copy_count
            and less.parity_drive_count <= levels.parity_drive_count
            and less.random_write_operation_count <= levels.random_write_operation_count
    where x_axis = 'load profile' and coalesce(axis_maximum_iops, axis_maximum_bytes_per_second) > 0
    group by all
),

charted as (
    select
        arrays.{{ key | join(', arrays.') }},
        min(coalesce(charts.bytes_per_second, charts.iops * arrays.mean_block_bytes))
            as bytes_per_second,
        min(coalesce(charts.iops, charts.bytes_per_second / arrays.mean_block_bytes)) as iops,
    from charts
    inner join {{ arrays }} as arrays using (controller_id, raid_level, drive_id, profile_id)
    where arrays.purpose = 'what-if' and arrays.drive_count <= charts.drive_count
    group by all
),

reached as (
    select
        controller_id,
        raid_level,
        profile_id,
        max(bytes_per_second) as bytes_per_second,
    from {{ ref('int_reached_values') }}
    group by controller_id, raid_level, profile_id
)

select
    {{ key | join(', ') }},
    {% for column in ['controller_id', 'raid_level', 'drive_id', 'drive_count']
        if column not in key -%}
    arrays.{{ column }},
    {% endfor -%}
    arrays.purpose,
    arrays.left_out,
    arrays.drive_media,
    arrays.random_ratio = 0 as is_sequential,
    least(practical.high_bytes_per_second, charted.bytes_per_second) as high_bytes_per_second,
    least(practical.high_iops, charted.iops) as high_iops,
    least(practical.bytes_per_second, practical.high_bytes_per_second, charted.bytes_per_second)
        as bytes_per_second,
    least(practical.iops, practical.high_iops, charted.iops) as iops,
    practical.binding_ceiling,
    practical.binding_measurement_id,
    practical.missing_limits,
    case
        when arrays.is_own_controller and arrays.drive_count > 1 then 'processor limit unknown'
        when practical.drives_derivation = 'rated' then 'data sheet'
        when
            practical.binding_ceiling = 'controller'
            and practical.known_from in ('controller', 'twin')
            then 'printed limit'
        when
            practical.known_from in ('controller', 'twin')
            or arrays.drive_count = 1
            or arrays.purpose = 'what-if' and practical.bytes_per_second <= reached.bytes_per_second
            then if(practical.drives_derivation is null, 'links only', 'links and drives')
        else 'controller limit unknown'
    end as evidence,
    if(
        evidence in (
            'data sheet', 'controller limit unknown', 'processor limit unknown', 'links only'
        )
        or practical.binding_derivation = 'printed saturation',
        'at_most', 'approximate'
    ) as value_qualifier,
from {{ arrays }} as arrays
inner join {{ ceilings }} as practical using ({{ key | join(', ') }})
left join charted using ({{ key | join(', ') }})
left join reached using (controller_id, raid_level, profile_id)
where arrays.purpose != 'measured'
{%- endmacro %}
